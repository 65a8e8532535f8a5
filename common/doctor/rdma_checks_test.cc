#include "common/doctor/rdma_checks.h"

#include "common/doctor/fake_host.h"
#include "gmock/gmock.h"

namespace fargraph::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using transport::RdmaGid;

class RdmaChecks : public FakeHost {
 protected:
  /// The finding of that name.
  Finding Device(const std::string& check) {
    for (const Finding& finding : CheckRdmaDevice(view_)) {
      if (finding.check == check) return finding;
    }
    ADD_FAILURE() << "no finding " << check;
    return {};
  }
  void MakePort(const std::string& device, const std::string& state) {
    const std::string port = "/sys/class/infiniband/" + device + "/ports/1/";
    Write(port + "state", state + "\n");
    Write(port + "link_layer", "Ethernet\n");
    Write(port + "gid_attrs/ndevs/0", "eth2\n");
  }
};

TEST_F(RdmaChecks, AGoodNicHasNoFault) {
  MakePort("mlx5_0", "4: ACTIVE");
  for (const Finding& finding : CheckRdmaDevice(view_)) {
    EXPECT_EQ(finding.level, Level::kOk) << finding.check << ": " << finding.value;
    EXPECT_THAT(finding.mend, IsEmpty());
  }
  EXPECT_EQ(Device("RDMA device").value, "mlx5_0, port 1, RoCE");
  EXPECT_EQ(Device("GID").value, "10.0.0.1 (index 3, RoCE v2, eth2, used)");
  EXPECT_EQ(CheckRdmaPorts(view_).front().value, "mlx5_0/1 4: ACTIVE, Ethernet");
}

TEST_F(RdmaChecks, NoDeviceIsAProblemOnlyWhereNothingElseWillDo) {
  view_.rdma = absl::NotFoundError("this host has no RDMA device; ...");
  EXPECT_EQ(Device("RDMA device").level, Level::kWarning);
  EXPECT_THAT(Device("RDMA device").value, HasSubstr("over shared memory or TCP"));
  EXPECT_THAT(Device("RDMA device").mend, StartsWith("install the driver"));
  view_.needs_rdma = true;
  EXPECT_EQ(Device("RDMA device").level, Level::kProblem);
  EXPECT_EQ(Device("RDMA device").value, "none, and --transport=verbs needs one");
}

TEST_F(RdmaChecks, ASoftwareDeviceIsMadeOfTheInterfaceOfTheDefaultRoute) {
  view_.rdma = absl::NotFoundError("this host has no RDMA device; ...");
  view_.needs_rdma = true;
  EXPECT_THAT(Device("RDMA device").mend, HasSubstr("rdma link add rxe0 type rxe netdev ETH "));
  Write("/sys/class/net/docker0/operstate", "up\n");
  Write("/proc/net/route",
        "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT   \n"
        "docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0   \n"
        "ens2\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0   \n");
  EXPECT_THAT(Device("RDMA device").mend, HasSubstr("rdma link add rxe0 type rxe netdev ens2 "));
}

TEST_F(RdmaChecks, APortThatIsDownIsBroughtUpByItsInterface) {
  view_.rdma = absl::FailedPreconditionError("no port of this host's RDMA devices is active");
  MakePort("mlx5_0", "1: DOWN");
  EXPECT_EQ(Device("RDMA device").level, Level::kProblem);
  const Finding port = CheckRdmaPorts(view_).front();
  EXPECT_EQ(port.level, Level::kProblem);
  EXPECT_EQ(port.mend, "ip link set dev eth2 up");
}

TEST_F(RdmaChecks, APortWithoutAnInterfaceIsNotBroughtUpByOne) {
  const std::string port = "/sys/class/infiniband/mlx5_0/ports/1/";
  Write(port + "state", "1: DOWN\n");
  Write(port + "gid_attrs/ndevs/0/it", "");  // as of InfiniBand, it opens and cannot be read
  EXPECT_THAT(CheckRdmaPorts(view_).front().mend, StartsWith("plug the cable in"));
}

TEST_F(RdmaChecks, AnotherPortThatIsDownIsAWarning) {
  MakePort("mlx5_0", "4: ACTIVE");
  MakePort("mlx5_1", "1: DOWN");
  const std::vector<Finding> ports = CheckRdmaPorts(view_);
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0].level, Level::kOk);
  EXPECT_EQ(ports[1].level, Level::kWarning);
}

TEST_F(RdmaChecks, WithoutAnAddressOfRoceV2NobodyCanConnect) {
  view_.rdma->gids = {{.index = 0,
                       .type = RdmaGid::Type::kRoceV1,
                       .address = "fe80::1",
                       .network_interface = "eth2"}};
  EXPECT_EQ(Device("GID").level, Level::kProblem);
  EXPECT_EQ(Device("GID").mend, "ip address add ADDRESS/24 dev eth2");
  view_.rdma->gids.clear();
  EXPECT_EQ(Device("GID").level, Level::kProblem);
  EXPECT_THAT(Device("GID").value, HasSubstr("the table is empty"));
}

TEST_F(RdmaChecks, ALinkLocalAddressAloneIsAWarning) {
  view_.rdma->gids.front().address = "fe80::1";
  EXPECT_EQ(Device("GID").level, Level::kWarning);
  EXPECT_THAT(Device("GID").mend, StartsWith("ip address add "));
}

TEST_F(RdmaChecks, InfiniBandHasNoAddressesOfRoce) {
  view_.rdma->ethernet = false;
  view_.rdma->gids = {{.index = 0,
                       .type = RdmaGid::Type::kInfiniBand,
                       .address = "fe80::1",
                       .network_interface = ""}};
  EXPECT_EQ(Device("GID").level, Level::kOk);
}

TEST_F(RdmaChecks, ASmallMtuIsRaisedAtTheInterface) {
  view_.rdma->mtu_bytes = 1024;
  EXPECT_EQ(Device("RDMA MTU").level, Level::kWarning);
  EXPECT_EQ(Device("RDMA MTU").value, "1024 of at most 4096 bytes");
  EXPECT_THAT(Device("RDMA MTU").mend, StartsWith("ip link set dev eth2 mtu 9000"));
}

TEST_F(RdmaChecks, AReadDepthOfOneIsAProblemAndASmallOneAWarning) {
  view_.rdma->reads_answered = 1;
  EXPECT_EQ(Device("read depth").level, Level::kProblem);
  view_.rdma->reads_answered = 8;
  EXPECT_EQ(Device("read depth").level, Level::kWarning);
  EXPECT_EQ(Device("read depth").value, "16 reads outstanding per queue pair, 8 answered");
}

TEST_F(RdmaChecks, DevicesWhoseFilesAreMissingCannotBeOpened) {
  EXPECT_THAT(CheckRdmaAccess(view_), IsEmpty());  // no device, nothing to open
  MakePort("mlx5_0", "4: ACTIVE");
  EXPECT_EQ(CheckRdmaAccess(view_).front().mend, "modprobe -a ib_uverbs rdma_ucm");
  Write("/dev/infiniband/uverbs0", "");
  EXPECT_EQ(CheckRdmaAccess(view_).front().level, Level::kProblem);
  Write("/.dockerenv", "");
  EXPECT_THAT(CheckRdmaAccess(view_).front().mend, HasSubstr("--device=/dev/infiniband"));
  Write("/dev/infiniband/rdma_cm", "");
  EXPECT_EQ(CheckRdmaAccess(view_).front().level, Level::kOk);
}

TEST_F(RdmaChecks, AFileThatThisUserMayNotOpenIsNamed) {
  if (geteuid() == 0) GTEST_SKIP() << "root may open every file";
  MakePort("mlx5_0", "4: ACTIVE");
  Write("/dev/infiniband/rdma_cm", "");
  Write("/dev/infiniband/uverbs0", "");
  std::filesystem::permissions(view_.Path("/dev/infiniband/uverbs0"), std::filesystem::perms::none);
  EXPECT_EQ(CheckRdmaAccess(view_).front().mend, "chmod a+rw /dev/infiniband/uverbs0");
}

/// A configuration space with power management at 0x40 and PCI Express behind it at 0x60.
std::string ConfigSpace(bool relaxed_ordering) {
  std::string config(256, '\0');
  config[0x34] = 0x40;
  config[0x40] = 0x01;
  config[0x41] = 0x60;
  config[0x60] = 0x10;
  config[0x68] = static_cast<char>(0x20 | (relaxed_ordering ? 0x10 : 0));
  return config;
}

TEST_F(RdmaChecks, RelaxedOrderingIsReadInTheDeviceControlRegister) {
  Link("/sys/class/infiniband/mlx5_0/device", "/sys/devices/0000:81:00.0");
  Write("/sys/devices/0000:81:00.0/config", ConfigSpace(true));
  EXPECT_EQ(CheckRelaxedOrdering(view_).front().value, "on for 0000:81:00.0");
  Write("/sys/devices/0000:81:00.0/config", ConfigSpace(false));
  EXPECT_EQ(CheckRelaxedOrdering(view_).front().level, Level::kWarning);
  EXPECT_EQ(CheckRelaxedOrdering(view_).front().mend,
            "setpci -s 0000:81:00.0 CAP_EXP+8.w=0010:0010");
  Write("/sys/devices/0000:81:00.0/config", ConfigSpace(false).substr(0, 64));
  EXPECT_THAT(CheckRelaxedOrdering(view_).front().mend, StartsWith("sudo lspci -vvs 0000:81:00.0"));
}

TEST_F(RdmaChecks, ASoftwareDeviceHasNoOrdering) {
  EXPECT_EQ(CheckRelaxedOrdering(view_).front().level, Level::kOk);
  EXPECT_THAT(CheckRelaxedOrdering(view_).front().value, HasSubstr("no PCI device"));
}

}  // namespace
}  // namespace fargraph::doctor
