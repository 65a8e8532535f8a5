#ifndef FARGRAPH_COMMON_TRANSPORT_SHM_SHM_DEVICE_H_
#define FARGRAPH_COMMON_TRANSPORT_SHM_SHM_DEVICE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/transport/transport.h"

namespace fargraph::transport {

/// The transport between processes of one host: a read is a copy out of a shared mapping.
absl::StatusOr<std::unique_ptr<Device>> OpenShmDevice();

}  // namespace fargraph::transport

#endif  // FARGRAPH_COMMON_TRANSPORT_SHM_SHM_DEVICE_H_
