#include "common/transport/polled_queue.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace fargraph::transport {
namespace {

/// Queue pairs that notice a silent peer by the clock have to be polled now and then.
constexpr absl::Duration kLongestSleep = absl::Milliseconds(500);

absl::Status CheckRequest(const WorkRequest& request, const LocalMemoryTable& local_memory) {
  if (request.length == 0 || request.length > kMaxRequestBytes) {
    return absl::InvalidArgumentError(absl::StrCat("a request of ", request.length,
                                                   " bytes was posted; the length must be 1 to ",
                                                   kMaxRequestBytes));
  }
  if (!local_memory.Contains(request.lkey, request.local_address, request.length)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a request of ", request.length,
                     " bytes was posted whose local memory is not registered under its lkey"));
  }
  return absl::OkStatus();
}

}  // namespace

size_t PolledCompletionQueue::Poll(absl::Span<Completion> completions) {
  size_t count = 0;
  for (size_t i = 0; i < queue_pairs_.size() && count < completions.size(); ++i) {
    PolledQueuePair& queue_pair = *queue_pairs_[(first_ + i) % queue_pairs_.size()];
    const auto rest = completions.subspan(count);
    const RequestRing& ring = queue_pair.ring_;
    if (ring.has_pending() && ring.untaken() < rest.size()) {
      queue_pair.Advance(rest.size() - ring.untaken());
    }
    count += queue_pair.ring_.Take(rest);
  }
  if (++first_ >= queue_pairs_.size()) first_ = 0;
  return count;
}

void PolledCompletionQueue::Wait(absl::Duration timeout) {
  for (size_t i = 0; i < queue_pairs_.size(); ++i) {
    const PolledQueuePair& queue_pair = *queue_pairs_[i];
    const RequestRing& ring = queue_pair.ring_;
    const bool has_completions = ring.untaken() > 0;
    if (has_completions || queue_pair.CanAdvance()) return;
    poll_fds_[i] =
        ring.failed() ? pollfd{.fd = -1, .events = 0, .revents = 0} : queue_pair.WaitFor();
  }
  const timespec sleep = absl::ToTimespec(std::clamp(timeout, absl::ZeroDuration(), kLongestSleep));
  if (ppoll(poll_fds_.data(), poll_fds_.size(), &sleep, nullptr) <= 0) return;
  for (size_t i = 0; i < queue_pairs_.size(); ++i) {
    if (poll_fds_[i].revents != 0) queue_pairs_[i]->CheckPeer();
  }
}

PolledQueuePair::PolledQueuePair(const LocalMemoryTable& local_memory,
                                 CompletionQueue& completion_queue, size_t capacity)
    : local_memory_(local_memory),
      completion_queue_(static_cast<PolledCompletionQueue&>(completion_queue)),
      ring_(capacity) {
  completion_queue_.free_ -= capacity;
  completion_queue_.queue_pairs_.push_back(this);
  completion_queue_.poll_fds_.resize(completion_queue_.queue_pairs_.size());
}

PolledQueuePair::~PolledQueuePair() {
  completion_queue_.free_ += ring_.capacity();
  auto& queue_pairs = completion_queue_.queue_pairs_;
  queue_pairs.erase(std::find(queue_pairs.begin(), queue_pairs.end(), this));
  completion_queue_.poll_fds_.resize(queue_pairs.size());
}

absl::Status PolledQueuePair::CheckCapacity(const CompletionQueue& completion_queue,
                                            size_t capacity) {
  const size_t free = static_cast<const PolledCompletionQueue&>(completion_queue).free_;
  if (capacity >= 1 && capacity <= free) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("cannot connect a queue pair of ", capacity,
                   " requests to a completion queue that has room for ", free,
                   "; a completion queue is created for the sum of its queue pairs"));
}

absl::StatusOr<size_t> PolledQueuePair::Post(absl::Span<const WorkRequest> requests) {
  if (ring_.failed()) {
    return absl::UnavailableError("the connection to the memory node is broken; connect again");
  }
  // Callers offer what there was no room for again and again.
  const auto accepted = requests.first(std::min(requests.size(), ring_.room()));
  for (const WorkRequest& request : accepted) {
    if (absl::Status status = CheckRequest(request, local_memory_); !status.ok()) return status;
  }
  for (const WorkRequest& request : accepted) ring_.Push(request);
  if (!accepted.empty()) OnPost();
  return accepted.size();
}

}  // namespace fargraph::transport
