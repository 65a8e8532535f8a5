#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_CM_CHANNEL_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_CM_CHANNEL_H_

#include <sys/socket.h>

#include <string>

#include "absl/status/statusor.h"
#include "common/address.h"
#include "common/transport/verbs/handles.h"

/// rdma_cm's identifiers, events and addresses.
namespace fargraph::transport::verbs {

/// A channel on which NextCmEvent does not block.
absl::StatusOr<CmChannel> CreateCmChannel();

/// A connection (or listener) that is not bound to anything yet; its events come on `channel`.
absl::StatusOr<CmId> CreateCmId(rdma_event_channel* channel);

/// The next event that has come, or null.
CmEvent NextCmEvent(rdma_event_channel* channel);

/// InvalidArgument when the host cannot be resolved.
absl::StatusOr<sockaddr_storage> ResolveHost(const HostPort& address);

/// The numeric form of an IPv4 or IPv6 address.
HostPort ToHostPort(const sockaddr& address);

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_CM_CHANNEL_H_
