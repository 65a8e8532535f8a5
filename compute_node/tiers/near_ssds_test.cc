#include "compute_node/tiers/near_ssds.h"

#include <sys/sysmacros.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/host/fake_kernel_files.h"
#include "gmock/gmock.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A host with two sockets of three processors, and a disk with a partition on each.
class NearSsdsTest : public FakeKernelFiles {
 protected:
  NearSsdsTest() {
    Write("/proc/self/status", "Name:\tfargraph\nCpus_allowed_list:\t0-5\n");
    Write("/sys/devices/system/node/node0/cpulist", "0-2\n");
    Write("/sys/devices/system/node/node1/cpulist", "3-5\n");
    AddDisk("nvme0n1", /*minor=*/1, "0");
    AddDisk("nvme1n1", /*minor=*/2, "1");
    AddDisk("sda", /*minor=*/3, "-1");
  }

  /// The node is that of the controller, as with NVMe.
  void AddDisk(const std::string& name, int minor, const std::string& node) const {
    const std::string controller = absl::StrCat("/sys/devices/pci0000/", name, "_controller");
    Write(controller + "/numa_node", node + "\n");
    Write(absl::StrCat(controller, "/", name, "/", name, "p1/dev"), "");
    Link(absl::StrCat("/sys/dev/block/259:", minor),
         absl::StrCat(controller, "/", name, "/", name, "p1"));
  }
  std::vector<int> Choose(const std::vector<int>& minors, int threads) const {
    std::vector<dev_t> devices;
    for (const int minor : minors) devices.push_back(makedev(259, minor));
    return ChooseNodesNear(devices, threads, root_);
  }
};

TEST_F(NearSsdsTest, ThreadsAreInTurnNearEachDevice) {
  EXPECT_THAT(Choose({1, 2}, 5), ElementsAre(0, 1, 0, 1, 0));
  EXPECT_THAT(Choose({2, 2, 1}, 3), ElementsAre(1, 1, 0));
}

TEST_F(NearSsdsTest, FewThreadsAreNearTheDeviceAndManyEverywhere) {
  EXPECT_THAT(Choose({2}, 2), ElementsAre(1, 1));
  EXPECT_THAT(Choose({2}, 6), ElementsAre(1, 1, 1, 0, 0, 0));
  EXPECT_EQ(Choose({2}, 20).size(), 20);
}

TEST_F(NearSsdsTest, NothingIsChosenWhereThereIsNoChoice) {
  EXPECT_THAT(Choose({3}, 2), IsEmpty());  // the host does not tell
  EXPECT_THAT(Choose({9}, 2), IsEmpty());  // no disk at all
  EXPECT_THAT(Choose({}, 2), IsEmpty());
  EXPECT_THAT(Choose({3, 2}, 2), ElementsAre(1, 1));
  Write("/proc/self/status", "Cpus_allowed_list:\t0,2\n");
  EXPECT_THAT(Choose({1, 2}, 2), IsEmpty());
}

TEST_F(NearSsdsTest, ProcessorsThatTheProcessMayNotUseDoNotCount) {
  Write("/proc/self/status", "Cpus_allowed_list:\t1,3-5\n");
  EXPECT_THAT(Choose({1}, 3), ElementsAre(0, 1, 1));
}

}  // namespace
}  // namespace fargraph
