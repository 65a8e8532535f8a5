#include "common/doctor/container.h"

#include "common/doctor/fake_host.h"
#include "common/units.h"

namespace fargraph::doctor {
namespace {

using ContainerCheck = FakeHost;

TEST_F(ContainerCheck, OutsideOfOneThereIsNothingToSay) {
  EXPECT_TRUE(CheckContainer(view_).empty());
}

TEST_F(ContainerCheck, DockerAndPodmanLeaveAFile) {
  Write("/.dockerenv", "");
  EXPECT_EQ(CheckContainer(view_)[0].value,
            "docker; any memory may be locked; without /dev/infiniband");
  std::filesystem::remove(view_.root + "/.dockerenv");
  Write("/run/.containerenv", "");
  EXPECT_EQ(ContainerName(view_), "podman");
}

TEST_F(ContainerCheck, TellsWhatMayBeLockedAndWhetherThereAreRdmaDevices) {
  Write("/run/systemd/container", "systemd-nspawn\n");
  Write("/dev/infiniband/uverbs0", "");
  view_.lock_limit_bytes = 8 * kMiB;
  EXPECT_EQ(CheckContainer(view_)[0].value,
            "systemd-nspawn; 8 MiB memory may be locked; with /dev/infiniband");
}

}  // namespace
}  // namespace fargraph::doctor
