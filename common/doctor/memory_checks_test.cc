#include "common/doctor/memory_checks.h"

#include "common/doctor/fake_host.h"
#include "common/units.h"
#include "gmock/gmock.h"

namespace fargraph::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class MemoryChecks : public FakeHost {
 protected:
  MemoryChecks() {
    Write("/proc/meminfo", "MemTotal:       67108864 kB\nMemFree: 1 kB\n");
  }  // 64 GiB
  Finding LockLimit() { return CheckLockLimit(view_).front(); }
  Finding Cgroup() { return CheckMemoryCgroup(view_).front(); }
  Finding Available() { return CheckAvailableMemory(view_).front(); }
  Finding Swap() { return CheckSwap(view_).front(); }
};

TEST_F(MemoryChecks, NoLimitOnLockedMemoryIsFine) {
  EXPECT_EQ(LockLimit().level, Level::kOk);
  EXPECT_EQ(LockLimit().value, "unlimited");
}

TEST_F(MemoryChecks, ALowLimitOnLockedMemoryIsAProblemWithRdma) {
  view_.lock_limit_bytes = 8 * kMiB;
  EXPECT_EQ(LockLimit().level, Level::kProblem);
  EXPECT_THAT(LockLimit().value, StartsWith("8 MiB"));
  EXPECT_THAT(LockLimit().mend, HasSubstr("ulimit -l unlimited"));
  view_.rdma = absl::FailedPreconditionError("none");
  EXPECT_EQ(LockLimit().level, Level::kWarning);
  view_.needs_rdma = true;
  EXPECT_EQ(LockLimit().level, Level::kProblem);
  Write("/.dockerenv", "");
  EXPECT_THAT(LockLimit().mend, HasSubstr("--ulimit=memlock=-1"));
}

TEST_F(MemoryChecks, TheLimitHasToCoverWhatTheNodeLends) {
  view_.lock_limit_bytes = 2 * kGiB;
  EXPECT_EQ(LockLimit().level, Level::kOk);
  view_.memory_bytes = 4 * kGiB;
  EXPECT_EQ(LockLimit().level, Level::kProblem);
}

TEST_F(MemoryChecks, NoLimitCoversWhatManyJobsAttachTo) {
  view_.lock_limit_bytes = 8 * kGiB;
  view_.memory_bytes = 4 * kGiB;
  EXPECT_EQ(LockLimit().level, Level::kOk);
  view_.lends = true;
  EXPECT_EQ(LockLimit().level, Level::kWarning);
  EXPECT_THAT(LockLimit().value, HasSubstr("anew for each job"));
  EXPECT_THAT(LockLimit().mend, HasSubstr("LimitMEMLOCK=infinity"));
  view_.rdma = absl::FailedPreconditionError("none");
  EXPECT_EQ(LockLimit().level, Level::kOk);
}

TEST_F(MemoryChecks, TheLeastLimitOnTheWayUpCountsInVersion2) {
  Write("/proc/self/cgroup", "0::/user.slice/job\n");
  Write("/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
  EXPECT_EQ(Cgroup().level, Level::kOk);
  Write("/sys/fs/cgroup/user.slice/memory.max", "4294967296\n");
  EXPECT_EQ(Cgroup().level, Level::kWarning);
  EXPECT_EQ(Cgroup().value, "at most 4 GiB (/sys/fs/cgroup/user.slice/memory.max)");
  EXPECT_THAT(Cgroup().mend, StartsWith("echo max > /sys/fs/cgroup/user.slice/memory.max"));
}

TEST_F(MemoryChecks, InVersion1TheNumberForNoLimitIsNone) {
  Write("/proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/job\n0::/x\n");
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  Write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(Cgroup().level, Level::kOk);
  Write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1073741824\n");
  view_.memory_bytes = 2 * kGiB;
  EXPECT_EQ(Cgroup().level, Level::kProblem);
  EXPECT_EQ(Cgroup().mend, "echo -1 > /sys/fs/cgroup/memory/job/memory.limit_in_bytes");
  view_.memory_bytes = kGiB;
  EXPECT_EQ(Cgroup().level, Level::kOk);
}

TEST_F(MemoryChecks, InAContainerTheMountIsItsOwnGroup) {
  Write("/proc/self/cgroup", "4:memory:/docker/0123\n");
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
  EXPECT_EQ(Cgroup().level, Level::kWarning);
}

TEST_F(MemoryChecks, WhatIsLentHasToFitInWhatIsLeft) {
  Write("/proc/meminfo", "MemAvailable:   4194304 kB\nSwapFree: 2097152 kB\n");
  view_.lends = true;
  view_.memory_bytes = 4 * kGiB;
  EXPECT_EQ(Available().level, Level::kOk);
  EXPECT_EQ(Available().value, "4 GiB left (/proc/meminfo)");
  view_.memory_bytes = 5 * kGiB;  // swap is not lent
  EXPECT_EQ(Available().level, Level::kProblem);
  EXPECT_EQ(Available().value, "4 GiB left (/proc/meminfo), less than 5 GiB");
  EXPECT_THAT(Available().mend, HasSubstr("a smaller --capacity"));
  view_.memory_is_held = true;
  EXPECT_EQ(Available().level, Level::kOk);
}

TEST_F(MemoryChecks, WhatAJobMayUseShouldFitInWhatIsLeft) {
  Write("/proc/meminfo", "MemAvailable:   4194304 kB\nSwapFree: 2097152 kB\n");
  view_.memory_bytes = 6 * kGiB;
  EXPECT_EQ(Available().level, Level::kOk);
  view_.memory_bytes = 7 * kGiB;
  EXPECT_EQ(Available().level, Level::kWarning);
  EXPECT_THAT(Available().mend, HasSubstr("a smaller --local_memory"));
}

TEST_F(MemoryChecks, ReservedHugePagesAreMemoryBesideWhatIsLeft) {
  Write("/proc/meminfo", "MemAvailable:   1048576 kB\n");
  Write("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "1024\n");
  Write("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "1024\n");
  view_.memory_bytes = 3 * kGiB;
  EXPECT_EQ(Available().level, Level::kOk);
  view_.lends = true;  // on them or not at all
  EXPECT_EQ(Available().level, Level::kProblem);
  view_.memory_bytes = 2 * kGiB;
  EXPECT_EQ(Available().level, Level::kOk);
}

TEST_F(MemoryChecks, SwapIsToldWithItsUse) {
  const std::string head = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";
  Write("/proc/swaps", head);
  EXPECT_EQ(Swap().level, Level::kOk);
  Write("/proc/swaps", head + "/dev/sda2    partition\t1048576\t\t0\t\t-2\n" +
                           "/swapfile    file\t\t1048576\t\t524288\t\t-3\n");
  EXPECT_EQ(Swap().level, Level::kWarning);
  EXPECT_THAT(Swap().value, StartsWith("2 GiB, of which 512 MiB are in use"));
  EXPECT_EQ(Swap().mend, "swapoff --all");
}

}  // namespace
}  // namespace fargraph::doctor
