#ifndef FARGRAPH_COMMON_TRANSPORT_TCP_TCP_DEVICE_H_
#define FARGRAPH_COMMON_TRANSPORT_TCP_TCP_DEVICE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/transport/transport.h"

namespace fargraph::transport {

struct TcpOptions {
  /// A peer that has requests outstanding and is silent for so long counts as dead.
  absl::Duration silence_limit = absl::Seconds(10);
};

/// The transport for hosts without RDMA: one queue pair is one connection, and batches of requests
/// travel together. Several connections to one peer are the caller's to make.
absl::StatusOr<std::unique_ptr<Device>> OpenTcpDevice(const TcpOptions& options = {});

}  // namespace fargraph::transport

#endif  // FARGRAPH_COMMON_TRANSPORT_TCP_TCP_DEVICE_H_
