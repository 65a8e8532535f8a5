#ifndef FARGRAPH_COMPUTE_NODE_TIERS_ASYNC_IO_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_ASYNC_IO_H_

#include <libaio.h>

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"

namespace fargraph {

/// A context of Linux' asynchronous IO, with what SsdQueue asks of it; tests put another in its
/// place. Used by one thread. Destruction waits until nothing is under way.
class AsyncIo {
 public:
  virtual ~AsyncIo() = default;

  /// As io_submit(2): how many of the requests, the first ones, are under way, or a negative error
  /// number. No more may be under way than the context was made for.
  virtual int Submit(absl::Span<iocb*> requests) = 0;

  /// As io_getevents(2): waits for `least` events for no longer than `timeout`; returns how many
  /// there are, or a negative error number.
  virtual int GetEvents(int least, absl::Span<io_event> events, absl::Duration timeout) = 0;
};

/// FailedPrecondition when the host has no room for so many requests.
absl::StatusOr<std::unique_ptr<AsyncIo>> OpenAsyncIo(uint32_t depth);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_ASYNC_IO_H_
