#include "common/host/processors.h"

#include <optional>

#include "common/host/fake_kernel_files.h"

namespace fargraph {
namespace {

class ProcessorsInQuotaTest : public FakeKernelFiles {
 protected:
  std::optional<int> InQuota() const { return ProcessorsInQuota(root_); }
};

TEST_F(ProcessorsInQuotaTest, NothingLimitsAProcessWithoutQuota) {
  EXPECT_EQ(InQuota(), std::nullopt);
  Write("/proc/self/cgroup", "0::/job\n");
  Write("/sys/fs/cgroup/job/cpu.max", "max 100000\n");
  EXPECT_EQ(InQuota(), std::nullopt);
}

TEST_F(ProcessorsInQuotaTest, TheLeastOnTheWayUpCountsInVersion2) {
  Write("/proc/self/cgroup", "0::/pod/job\n");
  Write("/sys/fs/cgroup/pod/job/cpu.max", "800000 100000\n");
  EXPECT_EQ(InQuota(), 8);
  Write("/sys/fs/cgroup/pod/cpu.max", "350000 100000\n");
  EXPECT_EQ(InQuota(), 4) << "half a processor is one";
  Write("/sys/fs/cgroup/cpu.max", "10000 100000\n");
  EXPECT_EQ(InQuota(), 1);
}

TEST_F(ProcessorsInQuotaTest, Version1HasAFileForEachNumber) {
  Write("/proc/self/cgroup", "7:memory:/other\n4:cpu,cpuacct:/job\n0::/elsewhere\n");
  Write("/sys/fs/cgroup/elsewhere/cpu.max", "100000 100000\n");
  Write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  Write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(InQuota(), std::nullopt);
  Write("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "100000\n");
  Write("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(InQuota(), 2);
}

TEST_F(ProcessorsInQuotaTest, InAContainerTheMountIsItsOwnGroup) {
  Write("/proc/self/cgroup", "0::/../host/only\n");
  Write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(InQuota(), 2);
}

TEST_F(ProcessorsInQuotaTest, WhatIsNoQuotaIsNone) {
  Write("/proc/self/cgroup", "0::/job\n");
  for (const char* content : {"", "100000\n", "100000 0\n", "0 100000\n", "a b\n", "-5 100000\n"}) {
    Write("/sys/fs/cgroup/job/cpu.max", content);
    EXPECT_EQ(InQuota(), std::nullopt) << content;
  }
}

TEST(UsableProcessors, AreSome) { EXPECT_GE(UsableProcessors(), 1); }

}  // namespace
}  // namespace fargraph
