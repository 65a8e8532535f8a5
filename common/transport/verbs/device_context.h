#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_DEVICE_CONTEXT_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_DEVICE_CONTEXT_H_

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fargraph::transport::verbs {

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
  uint64_t max_piece_bytes() const { return max_message_bytes_; }
  size_t max_work_requests() const { return attributes_.max_qp_wr; }
  size_t max_completions() const { return attributes_.max_cqe; }

  /// The IP addresses at which the device can be reached, from its table of GIDs, IPv4 first.
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
  uint64_t max_message_bytes_ = 0;
};

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_DEVICE_CONTEXT_H_
