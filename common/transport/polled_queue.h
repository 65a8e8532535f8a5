#ifndef FARGRAPH_COMMON_TRANSPORT_POLLED_QUEUE_H_
#define FARGRAPH_COMMON_TRANSPORT_POLLED_QUEUE_H_

#include <poll.h>

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/transport/local_memory.h"
#include "common/transport/request_ring.h"
#include "common/transport/transport.h"

namespace fargraph::transport {

class PolledQueuePair;

/// The completion queue of the software transports: polling it moves its queue pairs on, in the
/// polling thread. There is no other thread on the initiator's side.
class PolledCompletionQueue : public CompletionQueue {
 public:
  explicit PolledCompletionQueue(size_t capacity) : free_(capacity) {}

  size_t Poll(absl::Span<Completion> completions) override;
  void Wait(absl::Duration timeout) override;

 private:
  friend class PolledQueuePair;

  std::vector<PolledQueuePair*> queue_pairs_;
  std::vector<pollfd> poll_fds_;  ///< for Wait; one per queue pair
  size_t first_ = 0;              ///< the queue pair that the next Poll serves first
  size_t free_;                   ///< completions that no queue pair has laid claim to
};

/// What the queue pairs of the software transports share: checks requests, keeps them in a ring and
/// hands out completions. How a request is carried out is the derived class's.
class PolledQueuePair : public QueuePair {
 public:
  ~PolledQueuePair() override;
  PolledQueuePair(const PolledQueuePair&) = delete;
  PolledQueuePair& operator=(const PolledQueuePair&) = delete;

  absl::StatusOr<size_t> Post(absl::Span<const WorkRequest> requests) override;
  size_t outstanding() const override { return ring_.outstanding(); }
  size_t capacity() const override { return ring_.capacity(); }

  /// InvalidArgument when `capacity` is 0 or more than `completion_queue` has left. To be called
  /// before anything is built on the two.
  static absl::Status CheckCapacity(const CompletionQueue& completion_queue, size_t capacity);

 protected:
  /// `completion_queue` must be one of the same device; see CheckCapacity.
  PolledQueuePair(const LocalMemoryTable& local_memory, CompletionQueue& completion_queue,
                  size_t capacity);

  /// Posted requests have been added to ring().
  virtual void OnPost() {}
  /// Moves pending requests on, until about `limit` of them have finished. Called by every Poll.
  virtual void Advance(size_t limit) = 0;
  /// Whether an Advance would find work without anything happening first.
  virtual bool CanAdvance() const = 0;
  /// What Wait sleeps on: a file descriptor, and the events of poll(2).
  virtual pollfd WaitFor() const = 0;
  /// Breaks the queue pair if its peer has gone. Called when WaitFor's descriptor has woken Wait.
  virtual void CheckPeer() = 0;

  RequestRing& ring() { return ring_; }
  const RequestRing& ring() const { return ring_; }

 private:
  friend class PolledCompletionQueue;

  const LocalMemoryTable& local_memory_;
  PolledCompletionQueue& completion_queue_;
  RequestRing ring_;
};

}  // namespace fargraph::transport

#endif  // FARGRAPH_COMMON_TRANSPORT_POLLED_QUEUE_H_
