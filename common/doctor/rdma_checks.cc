#include "common/doctor/rdma_checks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/doctor/container.h"
#include "common/host/kernel_files.h"

namespace fargraph::doctor {
namespace {

using transport::RdmaDescription;
using transport::RdmaGid;

constexpr char kDevices[] = "/sys/class/infiniband";
/// What RDMA devices usually allow; a queue pair with fewer does not fill a fast link.
constexpr uint32_t kUsualReadDepth = 16;

/// The network interface of the default route, for the command that makes a software device on it;
/// ETH where there is none. Of others that are up, many are a container's or a virtual machine's.
std::string DefaultInterface(const HostView& host) {
  for (const absl::string_view route :
       absl::StrSplit(ReadKernelFile(host.Path("/proc/net/route")), '\n')) {
    const std::vector<std::string> fields =
        absl::StrSplit(route, absl::ByAnyChar("\t "), absl::SkipEmpty());
    if (fields.size() > 1 && fields[1] == "00000000") return fields[0];
  }
  return "ETH";
}

/// A software device is slower than TCP may be, so only who asks for verbs is told how to make one.
Finding NoDevice(const HostView& host) {
  if (!host.needs_rdma) {
    return {.check = "RDMA device",
            .level = Level::kWarning,
            .value = "none, so far memory is read over shared memory or TCP",
            .mend = "install the driver of the RDMA NIC, where there is one"};
  }
  return {
      .check = "RDMA device",
      .level = Level::kProblem,
      .value = "none, and --transport=verbs needs one",
      .mend = absl::StrCat("modprobe rdma_rxe && rdma link add rxe0 type rxe netdev ",
                           DefaultInterface(host), "  # in software; or install a NIC's driver")};
}

Finding CheckGids(const RdmaDescription& rdma) {
  Finding finding = {.check = "GID", .value = {}, .mend = {}};
  std::vector<std::string> entries;
  for (const RdmaGid& gid : rdma.gids) {
    entries.push_back(absl::StrCat(gid.address, " (index ", gid.index, ", ",
                                   RdmaGidTypeName(gid.type),
                                   gid.network_interface.empty() ? "" : ", ", gid.network_interface,
                                   entries.empty() ? ", used)" : ")"));
  }
  finding.value = absl::StrJoin(entries, "; ");
  if (!rdma.ethernet) return finding;
  const std::string interface = rdma.gids.empty() || rdma.gids.front().network_interface.empty()
                                    ? "ETH"
                                    : rdma.gids.front().network_interface;
  const std::string give_address = absl::StrCat("ip address add ADDRESS/24 dev ", interface);
  if (rdma.gids.empty() || rdma.gids.front().type != RdmaGid::Type::kRoceV2) {
    finding.level = Level::kProblem;
    finding.value = absl::StrCat("none of RoCE v2, which the transport takes: ",
                                 entries.empty() ? "the table is empty" : finding.value);
    finding.mend = give_address;
  } else if (absl::StartsWith(rdma.gids.front().address, "fe80:")) {
    finding.level = Level::kWarning;
    finding.mend = absl::StrCat(give_address, "  # reached within its own link only");
  }
  return finding;
}

Finding CheckMtu(const RdmaDescription& rdma) {
  Finding finding = {
      .check = "RDMA MTU",
      .value = absl::StrCat(rdma.mtu_bytes, " of at most ", rdma.max_mtu_bytes, " bytes"),
      .mend = {}};
  if (rdma.mtu_bytes >= rdma.max_mtu_bytes) return finding;
  finding.level = Level::kWarning;
  const bool has_interface = !rdma.gids.empty() && !rdma.gids.front().network_interface.empty();
  finding.mend =
      rdma.ethernet
          ? absl::StrCat("ip link set dev ",
                         has_interface ? rdma.gids.front().network_interface : "ETH",
                         " mtu 9000  # on both ends and on what lies between")
          : "let the subnet manager allow a larger MTU (opensm: mtu=5 in partitions.conf)";
  return finding;
}

Finding CheckReadDepth(const RdmaDescription& rdma) {
  Finding finding = {.check = "read depth",
                     .value = absl::StrCat(rdma.reads_issued, " reads outstanding per queue pair, ",
                                           rdma.reads_answered, " answered"),
                     .mend = {}};
  const uint32_t least = std::min(rdma.reads_issued, rdma.reads_answered);
  if (least >= kUsualReadDepth) return finding;
  finding.level = least <= 1 ? Level::kProblem : Level::kWarning;
  finding.mend =
      absl::StrCat("install the newest firmware of ", rdma.device, "; `ibv_devinfo -v -d ",
                   rdma.device, " | grep rd_atom` shows its limits");
  return finding;
}

}  // namespace

std::vector<Finding> CheckRdmaDevice(const HostView& host) {
  if (!host.rdma.ok()) {
    if (ListKernelDirectory(host.Path(kDevices)).empty()) return {NoDevice(host)};
    return {{.check = "RDMA device",
             .level = Level::kProblem,
             .value = std::string(host.rdma.status().message()),
             .mend = "see the lines on RDMA ports and access"}};
  }
  const RdmaDescription& rdma = *host.rdma;
  return {{.check = "RDMA device",
           .value = absl::StrCat(rdma.device, ", port ", rdma.port, ", ",
                                 rdma.ethernet ? "RoCE" : "InfiniBand"),
           .mend = {}},
          CheckGids(rdma),
          CheckMtu(rdma),
          CheckReadDepth(rdma)};
}

std::vector<Finding> CheckRdmaPorts(const HostView& host) {
  std::vector<Finding> findings;
  for (const std::string& device : ListKernelDirectory(host.Path(kDevices))) {
    const std::string ports = host.Path(absl::StrCat(kDevices, "/", device, "/ports"));
    for (const std::string& port : ListKernelDirectory(ports)) {
      const std::string folder = absl::StrCat(ports, "/", port);
      const std::string state = ReadKernelLine(folder + "/state");
      const std::string layer = ReadKernelLine(folder + "/link_layer");
      Finding finding = {.check = "RDMA port",
                         .value = absl::StrCat(device, "/", port, " ", state, ", ", layer),
                         .mend = {}};
      if (!absl::StrContains(state, "ACTIVE")) {
        finding.level = host.rdma.ok() ? Level::kWarning : Level::kProblem;
        const std::string interface = ReadKernelLine(folder + "/gid_attrs/ndevs/0");
        finding.mend = interface.empty() ? absl::StrCat("plug the cable in; `rdma link show ",
                                                        device, "/", port, "` shows the port")
                                         : absl::StrCat("ip link set dev ", interface, " up");
      }
      findings.push_back(finding);
    }
  }
  return findings;
}

}  // namespace fargraph::doctor
