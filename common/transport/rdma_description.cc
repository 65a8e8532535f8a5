#include "common/transport/rdma_description.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/status_macros.h"
#include "common/transport/verbs/connector.h"
#include "common/transport/verbs/device_context.h"

namespace fargraph::transport {
namespace {

constexpr absl::Duration kResolveTimeout = absl::Seconds(2);

int Rank(const RdmaGid& gid) {
  if (gid.type != RdmaGid::Type::kRoceV2) return gid.type == RdmaGid::Type::kInfiniBand ? 3 : 4;
  if (!absl::StrContains(gid.address, ':')) return 0;
  return absl::StartsWith(gid.address, "fe80:") ? 2 : 1;
}

}  // namespace

absl::string_view RdmaGidTypeName(RdmaGid::Type type) {
  switch (type) {
    case RdmaGid::Type::kRoceV2:
      return "RoCE v2";
    case RdmaGid::Type::kInfiniBand:
      return "InfiniBand";
    case RdmaGid::Type::kRoceV1:
      return "RoCE v1";
  }
  return "unknown";
}

void RankGids(std::vector<RdmaGid>& gids) {
  std::stable_sort(gids.begin(), gids.end(),
                   [](const RdmaGid& a, const RdmaGid& b) { return Rank(a) < Rank(b); });
}

absl::StatusOr<RdmaDescription> DescribeRdmaDevice() {
  FARGRAPH_ASSIGN_OR_RETURN(const verbs::DeviceContext device, verbs::DeviceContext::Open());
  const ibv_port_attr& port = device.port();
  return RdmaDescription{.device = device.name(),
                         .port = device.port_number(),
                         .ethernet = port.link_layer == IBV_LINK_LAYER_ETHERNET,
                         .mtu_bytes = verbs::MtuBytes(port.active_mtu),
                         .max_mtu_bytes = verbs::MtuBytes(port.max_mtu),
                         .reads_issued = device.initiator_depth(),
                         .reads_answered = device.responder_resources(),
                         .gids = device.Gids()};
}

absl::StatusOr<std::string> RdmaAddressTowards(const Endpoint& peer) {
  FARGRAPH_ASSIGN_OR_RETURN(const verbs::DeviceContext device, verbs::DeviceContext::Open());
  FARGRAPH_ASSIGN_OR_RETURN(verbs::Connector connector,
                            verbs::Connector::Create(device, peer, kResolveTimeout));
  FARGRAPH_RETURN_IF_ERROR(connector.ResolveAddress());
  return connector.LocalGid();
}

}  // namespace fargraph::transport
