#ifndef FARGRAPH_COMMON_TRANSPORT_RDMA_DESCRIPTION_H_
#define FARGRAPH_COMMON_TRANSPORT_RDMA_DESCRIPTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/transport/transport.h"

/// What the verbs transport uses on this host, told without opening a connection.
namespace fargraph::transport {

/// An entry of a port's table of addresses.
struct RdmaGid {
  enum class Type { kRoceV2, kInfiniBand, kRoceV1 };
  uint32_t index = 0;
  Type type = Type::kRoceV2;
  std::string address;            ///< as an IP address
  std::string network_interface;  ///< empty where there is none

  friend bool operator==(const RdmaGid&, const RdmaGid&) = default;
};

absl::string_view RdmaGidTypeName(RdmaGid::Type type);

/// The order in which the transport prefers addresses: RoCE v2 with IPv4, with IPv6, with a
/// link-local address; then those that it cannot be reached at by an IP address. Stable.
void RankGids(std::vector<RdmaGid>& gids);

struct RdmaDescription {
  std::string device;
  uint32_t port = 0;
  bool ethernet = false;  ///< RoCE; else InfiniBand
  uint32_t mtu_bytes = 0;
  uint32_t max_mtu_bytes = 0;
  uint32_t reads_issued = 0;       ///< outstanding on one queue pair (max_qp_init_rd_atom)
  uint32_t reads_answered = 0;     ///< the same for a peer's reads (max_qp_rd_atom)
  std::vector<RdmaGid> gids = {};  ///< ranked
};

/// The device that OpenDevice(Kind::kVerbs) opens, with the same errors.
absl::StatusOr<RdmaDescription> DescribeRdmaDevice();

/// This host's address on the way to HOST:PORT: that of the GID which a queue pair to there gets.
/// FailedPrecondition when the way does not lead over the device that is used.
absl::StatusOr<std::string> RdmaAddressTowards(const Endpoint& peer);

}  // namespace fargraph::transport

#endif  // FARGRAPH_COMMON_TRANSPORT_RDMA_DESCRIPTION_H_
