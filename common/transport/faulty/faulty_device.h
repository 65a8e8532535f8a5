#ifndef FARGRAPH_COMMON_TRANSPORT_FAULTY_FAULTY_DEVICE_H_
#define FARGRAPH_COMMON_TRANSPORT_FAULTY_FAULTY_DEVICE_H_

#include <cstdint>
#include <memory>

#include "absl/time/time.h"
#include "common/transport/transport.h"

namespace fargraph::transport {

/// What goes wrong, each with a probability per request. At most one happens to a request; their
/// sum is at most 1.
struct FaultOptions {
  uint64_t seed = 0;
  double drop = 0;     ///< never carried out: kRetryExceeded after drop_timeout
  double fail = 0;     ///< never carried out: kRemoteAccessError
  double delay = 0;    ///< completes delay_time after its bytes have arrived
  double corrupt = 0;  ///< one bit of what a read brings is flipped; writes are spared
  absl::Duration drop_timeout = absl::Milliseconds(200);
  absl::Duration delay_time = absl::Milliseconds(5);
};

/// `device` with faults, for tests of what is above it. The faults of the nth queue pair that the
/// device connects are a function of the seed, of n, and of the request's place among those posted;
/// nothing else. The order of completions and the breaking of queue pairs are those of any device.
std::unique_ptr<Device> MakeFaultyDevice(std::unique_ptr<Device> device,
                                         const FaultOptions& options);

}  // namespace fargraph::transport

#endif  // FARGRAPH_COMMON_TRANSPORT_FAULTY_FAULTY_DEVICE_H_
