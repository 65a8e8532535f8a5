#include "common/host/available_memory.h"

#include "common/host/fake_kernel_files.h"
#include "common/units.h"

namespace fargraph {
namespace {

class AvailableMemoryTest : public FakeKernelFiles {
 protected:
  AvailableMemoryTest() { SetHost(/*available_kib=*/8 << 20, /*swap_kib=*/0); }

  void SetHost(int available_kib, int swap_kib) const {
    Write("/proc/meminfo",
          absl::StrCat("MemTotal:       67108864 kB\nMemAvailable:   ", available_kib,
                       " kB\nSwapTotal: 9 kB\nSwapFree: ", swap_kib, " kB\n"));
  }
  AvailableMemory Read(Swap swap = Swap::kCounts) const { return ReadAvailableMemory(swap, root_); }
};

TEST_F(AvailableMemoryTest, WithoutALimitItIsWhatTheHostHasLeft) {
  EXPECT_EQ(Read().bytes, 8 * kGiB);
  EXPECT_EQ(Read().limited_by, "/proc/meminfo");
  SetHost(1 << 20, 2 << 20);
  EXPECT_EQ(Read().bytes, 3 * kGiB);
  EXPECT_EQ(Read(Swap::kDoesNot).bytes, kGiB);
}

TEST_F(AvailableMemoryTest, WhereNobodyTellsThereIsNoLimit) {
  Write("/proc/meminfo", "");
  EXPECT_EQ(Read().bytes, UINT64_MAX);
}

TEST_F(AvailableMemoryTest, Version2CountsWhatIsUsedButForCache) {
  Write("/proc/self/cgroup", "0::/pod/job\n");
  const std::string pod = "/sys/fs/cgroup/pod";
  Write(pod + "/job/memory.max", "max\n");
  Write(pod + "/memory.max", "1000000\n");
  Write(pod + "/memory.current", "600000\n");
  EXPECT_EQ(Read().bytes, 400000);
  EXPECT_EQ(Read().limited_by, pod + "/memory.max");
  Write(pod + "/memory.stat", "anon 1\ninactive_file 100000\nactive_file 50000\nslab 7\n");
  EXPECT_EQ(Read().bytes, 550000);
  Write(pod + "/memory.current", "2000000\n");
  EXPECT_EQ(Read().bytes, 0);
}

TEST_F(AvailableMemoryTest, Version2LimitsSwap) {
  SetHost(8 << 20, 1000);
  Write("/proc/self/cgroup", "0::/job\n");
  Write("/sys/fs/cgroup/job/memory.max", "1000000\n");
  EXPECT_EQ(Read().bytes, 1000000 + 1000 * kKiB);
  Write("/sys/fs/cgroup/job/memory.swap.max", "5000\n");
  Write("/sys/fs/cgroup/job/memory.swap.current", "2000\n");
  EXPECT_EQ(Read().bytes, 1003000);
  EXPECT_EQ(Read(Swap::kDoesNot).bytes, 1000000);
}

TEST_F(AvailableMemoryTest, Version1CountsTheGroupsBelow) {
  SetHost(8 << 20, 1000);
  Write("/proc/self/cgroup", "4:memory:/job\n0::/x\n");
  const std::string job = "/sys/fs/cgroup/memory/job";
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  Write(job + "/memory.limit_in_bytes", "1000000\n");
  Write(job + "/memory.usage_in_bytes", "600000\n");
  Write(job + "/memory.stat", "inactive_file 3\ntotal_inactive_file 100000\ntotal_active_file 1\n");
  Write(job + "/memory.swappiness", "0\n");
  EXPECT_EQ(Read().bytes, 500001);
  EXPECT_EQ(Read().limited_by, job + "/memory.limit_in_bytes");
  Write(job + "/memory.swappiness", "60\n");
  EXPECT_EQ(Read().bytes, 500001 + 1000 * kKiB);
}

TEST(AvailableMemory, OfThisProcessIsSome) {
  EXPECT_GT(ReadAvailableMemory(Swap::kCounts).bytes, kMiB);
}

}  // namespace
}  // namespace fargraph
