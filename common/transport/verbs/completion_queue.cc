#include "common/transport/verbs/completion_queue.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/transport/verbs/errors.h"
#include "common/transport/verbs/event_thread.h"
#include "common/transport/verbs/queue_pair.h"

namespace fargraph::transport::verbs {
namespace {

constexpr int kPollBatch = 32;

/// With some drivers a device that goes away wakes nobody.
constexpr absl::Duration kLongestWait = absl::Milliseconds(500);

/// How often queue pairs hear that nothing was reported.
constexpr absl::Duration kSilence = absl::Seconds(1);

/// The interrupt vector, and so the core, for the events of the next completion queue.
/// All vectors take turns, for each queue serves another thread.
int NextVector(const DeviceContext& device) {
  static std::atomic<unsigned> queues = 0;
  const auto vectors = static_cast<unsigned>(std::max(device.verbs()->num_comp_vectors, 1));
  return static_cast<int>(queues.fetch_add(1, std::memory_order_relaxed) % vectors);
}

}  // namespace

absl::StatusOr<std::unique_ptr<VerbsCompletionQueue>> VerbsCompletionQueue::Create(
    const DeviceContext& device, size_t capacity) {
  if (capacity == 0 || capacity > device.max_completions()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a completion queue of ", capacity, " requests is not possible on ",
                     device.name(), ", which takes 1 to ", device.max_completions()));
  }
  const size_t entries =
      std::min(capacity * (device.pieces_per_request() + 1), device.max_completions());
  CompletionChannel channel(ibv_create_comp_channel(device.verbs()));
  if (channel == nullptr) {
    return VerbsError(absl::StrCat("create a completion channel on ", device.name()), errno);
  }
  SetNonBlocking(channel->fd);
  HardwareQueue queue(ibv_create_cq(device.verbs(), static_cast<int>(entries), nullptr,
                                    channel.get(), NextVector(device)));
  if (queue == nullptr) {
    return VerbsError(
        absl::StrCat("create a completion queue of ", entries, " entries on ", device.name()),
        errno);
  }
  return std::unique_ptr<VerbsCompletionQueue>(
      new VerbsCompletionQueue(std::move(channel), std::move(queue), capacity, entries));
}

VerbsCompletionQueue::~VerbsCompletionQueue() {
  // Destroying the queue waits until every event that was read has been acknowledged.
  ibv_ack_cq_events(queue_.get(), unacknowledged_events_);
}

size_t VerbsCompletionQueue::Poll(absl::Span<Completion> completions) {
  size_t count = TakeFromQueuePairs(completions);
  while (count < completions.size() && TakeFromHardware()) {
    count += TakeFromQueuePairs(completions.subspan(count));
  }
  return count;
}

bool VerbsCompletionQueue::TakeFromHardware() {
  std::array<ibv_wc, kPollBatch> work_completions;
  const int count = ibv_poll_cq(queue_.get(), kPollBatch, work_completions.data());
  for (int i = 0; i < count; ++i) {
    const auto found = by_number_.find(work_completions[i].qp_num);
    if (found != by_number_.end()) found->second->OnWorkCompletion(work_completions[i]);
  }
  if (count <= 0) return false;
  silence_ = absl::ZeroDuration();
  return true;
}

size_t VerbsCompletionQueue::TakeFromQueuePairs(absl::Span<Completion> completions) {
  size_t count = 0;
  for (size_t i = 0; i < queue_pairs_.size() && count < completions.size(); ++i) {
    next_queue_pair_ = (next_queue_pair_ + 1) % queue_pairs_.size();
    count += queue_pairs_[next_queue_pair_]->TakeFinished(completions.subspan(count));
  }
  return count;
}

void VerbsCompletionQueue::Wait(absl::Duration timeout) {
  const auto finished = [](VerbsQueuePair* pair) { return pair->HasFinished(); };
  if (std::any_of(queue_pairs_.begin(), queue_pairs_.end(), finished)) return;
  Arm();
  // A completion that came before the arming raises no event.
  if (TakeFromHardware()) return;

  const absl::Duration limit = std::clamp(timeout, absl::ZeroDuration(), kLongestWait);
  const timespec sleep = absl::ToTimespec(limit);
  const int ready = ppoll(&polled_, 1, &sleep, nullptr);
  if (ready == 0) OnSilence(limit);
  if (ready <= 0) return;
  if (HasHungUp(polled_)) {
    polled_.fd = -1;
    return;
  }
  ibv_cq* queue = nullptr;
  void* context = nullptr;
  if (ibv_get_cq_event(channel_.get(), &queue, &context) == 0) {
    ++unacknowledged_events_;
    armed_ = false;
  }
}

void VerbsCompletionQueue::Arm() {
  if (!armed_) armed_ = ibv_req_notify_cq(queue_.get(), 0) == 0;
}

void VerbsCompletionQueue::OnSilence(absl::Duration slept) {
  silence_ += slept;
  if (silence_ < kSilence) return;
  for (VerbsQueuePair* queue_pair : queue_pairs_) queue_pair->OnSilence();
  silence_ = absl::ZeroDuration();
}

void VerbsCompletionQueue::Add(VerbsQueuePair& queue_pair) {
  unclaimed_ -= queue_pair.capacity();
  unclaimed_entries_ -= queue_pair.queue_depth();
  queue_pairs_.push_back(&queue_pair);
  by_number_[queue_pair.number()] = &queue_pair;
}

void VerbsCompletionQueue::Remove(VerbsQueuePair& queue_pair) {
  // The hardware may give the number to another queue pair, which must not get what is left here.
  while (TakeFromHardware()) {
  }
  by_number_.erase(queue_pair.number());
  queue_pairs_.erase(std::find(queue_pairs_.begin(), queue_pairs_.end(), &queue_pair));
  unclaimed_ += queue_pair.capacity();
  unclaimed_entries_ += queue_pair.queue_depth();
  next_queue_pair_ = 0;
}

}  // namespace fargraph::transport::verbs
