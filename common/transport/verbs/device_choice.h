#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_DEVICE_CHOICE_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_DEVICE_CHOICE_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace fargraph::transport::verbs {

/// The environment variable that names the device to use.
inline constexpr char kDeviceVariable[] = "FARGRAPH_RDMA_DEVICE";

/// What the choice among the host's devices depends on.
struct DeviceCandidate {
  std::string name;
  /// InfiniBand or RoCE. Not iWARP, which reads only into memory that the peer may write too.
  bool speaks_infiniband = true;
  bool is_active = true;  ///< one of its ports is
};

/// The index of the device to use: of the one that is `wanted`, the value of kDeviceVariable, or,
/// where that is null, of the first active one. Devices that do not speak InfiniBand's protocol are
/// passed over. FailedPrecondition, with what to do, when there is none.
absl::StatusOr<size_t> ChooseDevice(absl::Span<const DeviceCandidate> candidates,
                                    const char* wanted);

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_DEVICE_CHOICE_H_
