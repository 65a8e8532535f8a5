#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_VERBS_DEVICE_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_VERBS_DEVICE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/transport/transport.h"

namespace fargraph::transport {

/// Opens this host's RDMA device: the one that the environment variable FARGRAPH_RDMA_DEVICE names,
/// or else the first InfiniBand or RoCE device that has an active port. Errors say what to do:
/// NotFound when the host has no device, FailedPrecondition when it has some, of which none can be
/// used.
///
/// Endpoints are HOST:PORT, an address of the RDMA device and a port of rdma_cm's TCP port space.
absl::StatusOr<std::unique_ptr<Device>> OpenVerbsDevice();

}  // namespace fargraph::transport

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_VERBS_DEVICE_H_
