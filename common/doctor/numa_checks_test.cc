#include "common/doctor/numa_checks.h"

#include "common/doctor/fake_host.h"
#include "gmock/gmock.h"

namespace fargraph::doctor {
namespace {

using ::testing::StartsWith;

class NumaChecks : public FakeHost {
 protected:
  NumaChecks() {
    AddNode(0, "0-3", "10 21");
    MayRunOn("0-7");
    Link("/sys/class/infiniband/mlx5_0/device", "/sys/devices/nic");
    Write("/sys/devices/nic/numa_node", "1\n");
  }
  void AddNode(int number, const std::string& processors, const std::string& distances) {
    const std::string node = absl::StrCat("/sys/devices/system/node/node", number, "/");
    Write(node + "cpulist", processors + "\n");
    Write(node + "distance", distances + "\n");
  }
  void MayRunOn(const std::string& processors) {
    Write("/proc/self/status", "Name:\tx\nCpus_allowed_list:\t" + processors + "\nThreads:\t1\n");
  }
};

TEST_F(NumaChecks, OneNodeHasNoDistance) {
  EXPECT_EQ(CheckNicDistance(view_).front().level, Level::kOk);
  EXPECT_EQ(CheckNicDistance(view_).front().value, "NIC mlx5_0: the host has one NUMA node");
}

TEST_F(NumaChecks, ProcessorsFarFromTheNicAreToldWithTheirDistance) {
  AddNode(1, "4-7", "21 10");
  const Finding finding = CheckNicDistance(view_).front();
  EXPECT_EQ(finding.level, Level::kWarning);
  EXPECT_EQ(finding.value,
            "NIC mlx5_0 is on node 1; this process may run on node 0 at distance 21");
  EXPECT_THAT(finding.mend, StartsWith("numactl --cpunodebind=1 --preferred=1 "));
}

TEST_F(NumaChecks, AProcessThatIsBoundToTheNicsNodeIsFine) {
  AddNode(1, "4-7", "21 10");
  MayRunOn("4,6-7");
  EXPECT_EQ(CheckNicDistance(view_).front().level, Level::kOk);
  EXPECT_EQ(CheckNicDistance(view_).front().value, "NIC mlx5_0 is on node 1");
}

TEST_F(NumaChecks, ADiskHasTheNodeOfWhatItHangsOn) {
  AddNode(1, "4-7", "21 10");
  MayRunOn("0-3");
  Write("/sys/devices/pci/numa_node", "0\n");
  Write("/sys/devices/pci/nvme0/nvme0n1/size", "1\n");
  Link("/sys/dev/block/259:0", "/sys/devices/pci/nvme0/nvme0n1");
  const Finding finding = CheckNumaDistance(view_, "the disk", "/sys/dev/block/259:0");
  EXPECT_EQ(finding.level, Level::kOk);
  EXPECT_EQ(finding.value, "the disk is on node 0");
  Write("/sys/devices/pci/numa_node", "-1\n");
  EXPECT_EQ(CheckNumaDistance(view_, "the disk", "/sys/dev/block/259:0").value,
            "the disk: its NUMA node is not known");
}

}  // namespace
}  // namespace fargraph::doctor
