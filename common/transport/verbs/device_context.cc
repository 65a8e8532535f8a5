#include "common/transport/verbs/device_context.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "common/transport/transport.h"
#include "common/transport/verbs/device_choice.h"
#include "common/transport/verbs/errors.h"

namespace fargraph::transport::verbs {
namespace {

constexpr int kMaxGids = 256;

/// rdma_cm carries depths in one byte.
uint8_t Depth(int device_limit) { return static_cast<uint8_t>(std::clamp(device_limit, 0, 255)); }

bool HasDevices() {
  int count = 0;
  ibv_device** devices = ibv_get_device_list(&count);
  if (devices != nullptr) ibv_free_device_list(devices);
  return count > 0;
}

/// The number of the first active port, or 0.
uint8_t ActivePort(ibv_context* verbs) {
  ibv_device_attr device = {};
  if (ibv_query_device(verbs, &device) != 0) return 0;
  for (uint8_t port = 1; port <= device.phys_port_cnt; ++port) {
    ibv_port_attr attributes = {};
    if (ibv_query_port(verbs, port, &attributes) == 0 && attributes.state == IBV_PORT_ACTIVE) {
      return port;
    }
  }
  return 0;
}

absl::StatusOr<ibv_context*> Choose(absl::Span<ibv_context* const> contexts) {
  std::vector<DeviceCandidate> candidates;
  for (ibv_context* verbs : contexts) {
    candidates.push_back({.name = ibv_get_device_name(verbs->device),
                          .speaks_infiniband = verbs->device->transport_type == IBV_TRANSPORT_IB,
                          .is_active = ActivePort(verbs) != 0});
  }
  FARGRAPH_ASSIGN_OR_RETURN(const size_t chosen,
                            ChooseDevice(candidates, std::getenv(kDeviceVariable)));
  return contexts[chosen];
}

bool IsIpv4(const ibv_gid& gid) {
  in6_addr address;
  std::memcpy(&address, gid.raw, sizeof address);
  return IN6_IS_ADDR_V4MAPPED(&address);
}

RdmaGid::Type TypeOf(uint32_t gid_type) {
  switch (gid_type) {
    case IBV_GID_TYPE_ROCE_V2:
      return RdmaGid::Type::kRoceV2;
    case IBV_GID_TYPE_ROCE_V1:
      return RdmaGid::Type::kRoceV1;
    default:
      return RdmaGid::Type::kInfiniBand;
  }
}

/// Empty where there is none.
std::string InterfaceName(uint32_t index) {
  std::array<char, IF_NAMESIZE> name = {};
  return if_indextoname(index, name.data()) == nullptr ? "" : name.data();
}

}  // namespace

std::string FormatGid(const ibv_gid& gid) {
  std::array<char, INET6_ADDRSTRLEN> text = {};
  if (IsIpv4(gid)) {
    inet_ntop(AF_INET, gid.raw + 12, text.data(), text.size());
  } else {
    inet_ntop(AF_INET6, gid.raw, text.data(), text.size());
  }
  return text.data();
}

uint32_t MtuBytes(ibv_mtu mtu) { return 128u << mtu; }

absl::StatusOr<DeviceContext> DeviceContext::Open() {
  // librdmacm writes to standard error where there is no device, so that is found out first.
  if (!HasDevices()) {
    return absl::NotFoundError(
        "this host has no RDMA device; install its driver, or make a software one on network "
        "interface ETH with `modprobe rdma_rxe && rdma link add rxe0 type rxe netdev ETH`, or use "
        "another transport (tcp)");
  }
  int count = 0;
  ContextList contexts(rdma_get_devices(&count));
  if (contexts == nullptr || count == 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot open this host's RDMA devices: ", std::strerror(errno),
                     "; load rdma_cm with `modprobe rdma_ucm` and give this user access to "
                     "/dev/infiniband"));
  }
  FARGRAPH_ASSIGN_OR_RETURN(
      ibv_context * verbs, Choose(absl::MakeConstSpan(contexts.get(), static_cast<size_t>(count))));
  DeviceContext device(std::move(contexts), verbs);
  FARGRAPH_RETURN_IF_ERROR(device.QueryLimits());
  return device;
}

absl::Status DeviceContext::QueryLimits() {
  if (const int error = ibv_query_device(verbs_, &attributes_); error != 0) {
    return VerbsError(absl::StrCat("query RDMA device ", name()), error);
  }
  port_number_ = std::max<uint8_t>(ActivePort(verbs_), 1);
  if (const int error = ibv_query_port(verbs_, port_number_, &port_); error != 0) {
    return VerbsError(absl::StrCat("query port ", port_number_, " of RDMA device ", name()), error);
  }
  return absl::OkStatus();
}

uint8_t DeviceContext::initiator_depth() const { return Depth(attributes_.max_qp_init_rd_atom); }
uint8_t DeviceContext::responder_resources() const { return Depth(attributes_.max_qp_rd_atom); }

size_t DeviceContext::pieces_per_request() const {
  return (kMaxRequestBytes + max_piece_bytes() - 1) / max_piece_bytes();
}

std::vector<RdmaGid> DeviceContext::Gids() const {
  std::vector<ibv_gid_entry> entries(kMaxGids);
  const ssize_t count = ibv_query_gid_table(verbs_, entries.data(), entries.size(), 0);
  entries.resize(std::max<ssize_t>(count, 0));
  std::vector<RdmaGid> gids;
  for (const ibv_gid_entry& entry : entries) {
    gids.push_back({.index = entry.gid_index,
                    .type = TypeOf(entry.gid_type),
                    .address = FormatGid(entry.gid),
                    .network_interface = InterfaceName(entry.ndev_ifindex)});
  }
  RankGids(gids);
  return gids;
}

std::vector<std::string> DeviceContext::Addresses() const {
  std::vector<std::string> addresses;
  for (const RdmaGid& gid : Gids()) {
    if (gid.type == RdmaGid::Type::kRoceV2) addresses.push_back(gid.address);
  }
  return addresses;
}

std::string DeviceContext::Describe() const {
  std::string addresses = absl::StrJoin(Addresses(), ", ");
  if (addresses.empty()) {
    addresses = port_.link_layer == IBV_LINK_LAYER_INFINIBAND
                    ? "at the addresses of its IPoIB interfaces"
                    : "which has no IP address";
  }
  return absl::StrCat("RDMA device ", name(), " (", addresses, ")");
}

}  // namespace fargraph::transport::verbs
