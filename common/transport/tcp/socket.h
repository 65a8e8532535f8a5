#ifndef FARGRAPH_COMMON_TRANSPORT_TCP_SOCKET_H_
#define FARGRAPH_COMMON_TRANSPORT_TCP_SOCKET_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/transport/transport.h"
#include "common/unique_fd.h"

/// Deadlines are moments of MonotonicNow().
namespace fargraph::transport::tcp {

/// A listening, non-blocking socket on a free port of `host`, and its "HOST:PORT" in `endpoint`.
/// FailedPrecondition when `host` is no address of this host; InvalidArgument when it cannot be
/// resolved.
absl::StatusOr<UniqueFd> ListenOn(const std::string& host, Endpoint* endpoint);

/// A connected, non-blocking, tuned socket. Unavailable when nobody accepts by `deadline`;
/// InvalidArgument when `endpoint` is not HOST:PORT.
absl::StatusOr<UniqueFd> ConnectTo(const Endpoint& endpoint, absl::Time deadline);

/// Sets what every connection wants: no delay of small messages, probes that find a vanished host,
/// and no pacing on the way to a peer on this one. `socket` is connected.
void Tune(int socket);

/// Sends or receives exactly `size` bytes by `deadline`; Unavailable when the peer does not.
absl::Status SendAll(int socket, const void* data, size_t size, absl::Time deadline);
absl::Status ReceiveAll(int socket, void* data, size_t size, absl::Time deadline);

}  // namespace fargraph::transport::tcp

#endif  // FARGRAPH_COMMON_TRANSPORT_TCP_SOCKET_H_
