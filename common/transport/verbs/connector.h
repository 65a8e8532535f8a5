#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_CONNECTOR_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_CONNECTOR_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/transport/transport.h"
#include "common/transport/verbs/cm_channel.h"
#include "common/transport/verbs/device_context.h"
#include "common/transport/verbs/handles.h"

namespace fargraph::transport::verbs {

/// Makes one connection, step by step and waiting for each, on an event channel of its own. Call
/// the steps in the order in which they stand here. Every error names the peer.
class Connector {
 public:
  /// `device` must outlive it.
  static absl::StatusOr<Connector> Create(const DeviceContext& device, const Endpoint& peer,
                                          absl::Duration timeout);

  /// Finds the RDMA device and port that lead to the peer. FailedPrecondition when it is not
  /// `device`.
  absl::Status ResolveAddress();
  /// The address of the GID on this side, once the peer's address is resolved.
  std::string LocalGid() const;
  /// Finds the way to the peer.
  absl::Status ResolveRoute();
  /// Creates a queue pair for `work_requests` outstanding ones.
  absl::Status CreateQueuePair(ibv_pd* domain, ibv_cq* completion_queue, size_t work_requests);
  /// Shows the ticket and negotiates the read depth: the smaller of what this device can issue and
  /// what the peer's can answer. PermissionDenied when the ticket is not admitted.
  absl::Status Connect(const Ticket& ticket);
  /// The negotiated depth.
  absl::StatusOr<uint8_t> ReadDepth();

  /// Gives the connection away. Its events come on the connector's channel until it is migrated to
  /// another one, which has to happen while the connector lives.
  CmId TakeConnection() { return std::move(id_); }

 private:
  Connector(const DeviceContext& device, HostPort peer, absl::Time deadline, CmChannel channel,
            CmId id)
      : device_(&device),
        peer_(std::move(peer)),
        deadline_(deadline),
        channel_(std::move(channel)),
        id_(std::move(id)) {}

  int MillisecondsLeft() const;
  /// OK when the next event is `expected`.
  absl::Status Await(rdma_cm_event_type expected);
  absl::Status Unexpected(const rdma_cm_event& event) const;
  absl::Status NoAddress(int error) const;
  absl::Status NobodyAnswers() const;
  absl::Status Error(absl::string_view doing, int error) const;

  const DeviceContext* device_;
  HostPort peer_;
  absl::Time deadline_;  ///< of MonotonicNow()
  CmChannel channel_;
  CmId id_;
};

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_CONNECTOR_H_
