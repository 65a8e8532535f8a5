#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_REJECTION_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_REJECTION_H_

#include <rdma/rdma_cma.h>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace fargraph::transport::verbs {

/// Why the listener at `peer`, or its host, has not accepted a connection: what an event
/// RDMA_CM_EVENT_REJECTED says. PermissionDenied when the ticket is not admitted, else Unavailable.
absl::Status RejectionError(absl::string_view peer, const rdma_cm_event& rejected);

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_REJECTION_H_
