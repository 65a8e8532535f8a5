#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_COMPLETION_QUEUE_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_COMPLETION_QUEUE_H_

#include <infiniband/verbs.h>
#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/transport/transport.h"
#include "common/transport/verbs/device_context.h"
#include "common/transport/verbs/handles.h"

namespace fargraph::transport::verbs {

class VerbsQueuePair;

/// A completion queue of the device with its channel. Takes work completions off the hardware and
/// hands them to the queue pairs that they belong to.
class VerbsCompletionQueue final : public CompletionQueue {
 public:
  static absl::StatusOr<std::unique_ptr<VerbsCompletionQueue>> Create(const DeviceContext& device,
                                                                      size_t capacity);
  ~VerbsCompletionQueue() override;

  size_t Poll(absl::Span<Completion> completions) override;
  void Wait(absl::Duration timeout) override;

  ibv_cq* hardware() const { return queue_.get(); }
  /// Requests that no queue pair has laid claim to.
  size_t unclaimed() const { return unclaimed_; }
  /// Entries that no queue pair's work requests and nudge have laid claim to. All of those may
  /// fail, and then each reports.
  size_t unclaimed_entries() const { return unclaimed_entries_; }

  /// The queue pair claims room for its requests and work requests, which there must be; its work
  /// completions go to it from now on.
  void Add(VerbsQueuePair& queue_pair);
  /// To be called when the hardware's queue pair is gone: clears its completions off the queue.
  void Remove(VerbsQueuePair& queue_pair);

 private:
  VerbsCompletionQueue(CompletionChannel channel, HardwareQueue queue, size_t capacity,
                       size_t entries)
      : channel_(std::move(channel)),
        polled_{channel_->fd, POLLIN, 0},
        queue_(std::move(queue)),
        unclaimed_(capacity),
        unclaimed_entries_(entries) {}

  /// Takes some work completions off the hardware; false when there were none.
  bool TakeFromHardware();
  size_t TakeFromQueuePairs(absl::Span<Completion> completions);
  /// Asks the hardware for one event on the channel at the next completion.
  void Arm();
  /// Tells the queue pairs when nothing has come for long.
  void OnSilence(absl::Duration slept);

  const CompletionChannel channel_;
  pollfd polled_;  ///< the channel, until it hangs up
  const HardwareQueue queue_;
  size_t unclaimed_;
  size_t unclaimed_entries_;
  std::vector<VerbsQueuePair*> queue_pairs_;
  absl::flat_hash_map<uint32_t, VerbsQueuePair*> by_number_;  ///< the hardware's number
  size_t next_queue_pair_ = 0;  ///< whose completions the next Poll hands out first
  bool armed_ = false;          ///< an event is to come or has come and was not read
  absl::Duration silence_;      ///< slept since the hardware's last report or OnSilence
  unsigned unacknowledged_events_ = 0;
};

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_COMPLETION_QUEUE_H_
