#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_DEVICE_CONTEXT_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_DEVICE_CONTEXT_H_

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/transport/rdma_description.h"

namespace fargraph::transport::verbs {

/// "10.0.0.1" for a GID made of an IPv4 address, else as an IPv6 address.
std::string FormatGid(const ibv_gid& gid);

uint32_t MtuBytes(ibv_mtu mtu);

/// The RDMA device that this process uses: its context, which rdma_cm shares, and its limits.
/// Immutable; any thread may call.
class DeviceContext {
 public:
  /// See OpenVerbsDevice.
  static absl::StatusOr<DeviceContext> Open();

  ibv_context* verbs() const { return verbs_; }
  std::string name() const { return ibv_get_device_name(verbs_->device); }

  /// Reads outstanding on one queue pair that the device can issue, and that it can answer.
  uint8_t initiator_depth() const;
  uint8_t responder_resources() const;

  /// Work requests that the longest request takes, as the device limits the length of one.
  size_t pieces_per_request() const;
  uint64_t max_piece_bytes() const { return std::max<uint64_t>(port_.max_msg_sz, 1); }
  size_t max_work_requests() const { return attributes_.max_qp_wr; }
  size_t max_completions() const { return attributes_.max_cqe; }

  /// The port that is used, as it was at Open.
  uint8_t port_number() const { return port_number_; }
  const ibv_port_attr& port() const { return port_; }

  /// The table of GIDs, ranked.
  std::vector<RdmaGid> Gids() const;
  /// The IP addresses at which the device can be reached, from that table, IPv4 first. None over
  /// InfiniBand, whose addresses are those of network interfaces of their own.
  std::vector<std::string> Addresses() const;
  /// "RDMA device rxe0 (10.0.0.1)", for messages.
  std::string Describe() const;

 private:
  struct FreeList {
    void operator()(ibv_context** contexts) const { rdma_free_devices(contexts); }
  };
  using ContextList = std::unique_ptr<ibv_context*[], FreeList>;

  DeviceContext(ContextList contexts, ibv_context* verbs)
      : contexts_(std::move(contexts)), verbs_(verbs) {}
  absl::Status QueryLimits();

  ContextList contexts_;
  ibv_context* verbs_;
  ibv_device_attr attributes_ = {};
  uint8_t port_number_ = 0;
  ibv_port_attr port_ = {};
};

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_DEVICE_CONTEXT_H_
