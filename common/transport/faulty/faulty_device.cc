#include "common/transport/faulty/faulty_device.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "common/mix_bits.h"
#include "common/status_macros.h"
#include "common/transport/request_ring.h"

namespace fargraph::transport {
namespace {

enum class Fault : uint8_t { kNone, kDrop, kFail, kDelay, kCorrupt };

/// What happens to the requests of one queue pair, by their number.
class FaultPlan {
 public:
  FaultPlan(const FaultOptions& options, uint64_t queue_pair)
      : options_(options), stream_(SplitMix64(options.seed ^ SplitMix64(queue_pair))) {}

  Fault Of(uint64_t number) const {
    double draw = static_cast<double>(SplitMix64(stream_ + number) >> 11) / (uint64_t{1} << 53);
    for (const auto& [fault, probability] :
         {std::pair(Fault::kDrop, options_.drop), std::pair(Fault::kFail, options_.fail),
          std::pair(Fault::kDelay, options_.delay), std::pair(Fault::kCorrupt, options_.corrupt)}) {
      if (draw < probability) return fault;
      draw -= probability;
    }
    return Fault::kNone;
  }

  /// Whether the request, and with it all behind it, is never carried out.
  bool Dooms(uint64_t number) const {
    const Fault fault = Of(number);
    return fault == Fault::kDrop || fault == Fault::kFail;
  }

  void Corrupt(uint64_t number, const WorkRequest& request) const {
    const uint64_t bit = SplitMix64(~stream_ + number) % (request.length * 8);
    request.local_address[bit / 8] ^= std::byte{1} << (bit % 8);
  }

  const FaultOptions& options() const { return options_; }

 private:
  const FaultOptions options_;
  const uint64_t stream_;
};

class FaultyQueuePair;

class FaultyCompletionQueue final : public CompletionQueue {
 public:
  explicit FaultyCompletionQueue(std::unique_ptr<CompletionQueue> inner)
      : inner_(std::move(inner)) {}

  size_t Poll(absl::Span<Completion> completions) override;
  void Wait(absl::Duration timeout) override;

  CompletionQueue& inner() { return *inner_; }
  void Attach(FaultyQueuePair* queue_pair) { queue_pairs_.push_back(queue_pair); }
  void Detach(FaultyQueuePair* queue_pair) {
    queue_pairs_.erase(std::find(queue_pairs_.begin(), queue_pairs_.end(), queue_pair));
  }

 private:
  const std::unique_ptr<CompletionQueue> inner_;
  std::vector<FaultyQueuePair*> queue_pairs_;
};

/// Requests up to the first doomed one are carried out by the inner queue pair, in order; the
/// doomed one and all behind it never reach it, since its failure will break this queue pair.
class FaultyQueuePair final : public QueuePair {
 public:
  FaultyQueuePair(std::unique_ptr<QueuePair> inner, FaultyCompletionQueue& completion_queue,
                  const FaultOptions& options, uint64_t ordinal)
      : inner_(std::move(inner)),
        completion_queue_(completion_queue),
        plan_(options, ordinal),
        ordinal_(ordinal),
        ring_(inner_->capacity()),
        moments_(inner_->capacity()) {
    batch_.reserve(inner_->capacity());
    completion_queue_.Attach(this);
  }
  ~FaultyQueuePair() override { completion_queue_.Detach(this); }

  absl::StatusOr<size_t> Post(absl::Span<const WorkRequest> requests) override {
    if (ring_.failed()) {
      return absl::UnavailableError("the connection to the memory node is broken; connect again");
    }
    requests = requests.first(std::min(requests.size(), ring_.room()));
    size_t healthy = 0;
    while (!doomed_ && healthy < requests.size() && !plan_.Dooms(ring_.posted() + healthy)) {
      ++healthy;
    }
    size_t accepted = 0;
    if (!doomed_) {
      FARGRAPH_ASSIGN_OR_RETURN(accepted, Forward(requests.first(healthy)));
    }
    if (accepted == healthy && healthy < requests.size()) {
      doomed_ = true;
      accepted = requests.size();
    }
    for (const WorkRequest& request : requests.first(accepted)) {
      moments_[ring_.SlotOf(ring_.posted())] = absl::Now();
      ring_.Push(request);
    }
    return accepted;
  }

  size_t outstanding() const override { return ring_.outstanding(); }
  size_t capacity() const override { return ring_.capacity(); }

  /// Its completions of the inner queue carry this as wr_id.
  uint64_t ordinal() const { return ordinal_; }

  /// The inner queue pair has completed its next request.
  void Arrive(CompletionStatus status) {
    if (status == CompletionStatus::kSuccess) {
      moments_[ring_.SlotOf(arrived_++)] = absl::Now();
    } else if (inner_failure_ == CompletionStatus::kSuccess) {
      inner_failure_ = status;
    }
    ++completed_;
  }

  size_t Take(absl::Span<Completion> completions) {
    while (ring_.has_pending() && Settle()) {
    }
    return ring_.Take(completions);
  }

  /// When Take may find something although nothing arrives; the far future when never.
  absl::Time NextMoment() const {
    if (ring_.outstanding() > ring_.posted() - ring_.finished()) return absl::InfinitePast();
    if (!ring_.has_pending()) return absl::InfiniteFuture();
    const uint64_t number = ring_.finished();
    switch (plan_.Of(number)) {
      case Fault::kDrop:
        return MomentOf(number) + plan_.options().drop_timeout;
      case Fault::kFail:
        return absl::InfinitePast();
      case Fault::kDelay:
        return number < arrived_ ? MomentOf(number) + plan_.options().delay_time
                                 : absl::InfiniteFuture();
      default:
        return absl::InfiniteFuture();
    }
  }

 private:
  /// Posts copies that carry our ordinal.
  absl::StatusOr<size_t> Forward(absl::Span<const WorkRequest> requests) {
    batch_.assign(requests.begin(), requests.end());
    for (WorkRequest& request : batch_) request.wr_id = ordinal_;
    FARGRAPH_ASSIGN_OR_RETURN(const size_t accepted, inner_->Post(batch_));
    forwarded_ += accepted;
    return accepted;
  }

  /// Finishes or fails the first pending request; false when it is not its time yet.
  bool Settle() {
    const uint64_t number = ring_.finished();
    const Fault fault = plan_.Of(number);
    if (fault == Fault::kFail) {
      ring_.Fail(CompletionStatus::kRemoteAccessError);
      return true;
    }
    if (fault == Fault::kDrop) {
      if (absl::Now() < NextMoment()) return false;
      ring_.Fail(CompletionStatus::kRetryExceeded);
      return true;
    }
    if (number >= arrived_) {
      // The inner queue pair lets go of all local memory before we report a failure of its.
      const bool broken = inner_failure_ != CompletionStatus::kSuccess && completed_ == forwarded_;
      if (broken) ring_.Fail(inner_failure_);
      return broken;
    }
    if (fault == Fault::kDelay && absl::Now() < NextMoment()) return false;
    const WorkRequest& request = ring_[number];
    if (fault == Fault::kCorrupt && request.opcode == WorkRequest::Opcode::kRead) {
      plan_.Corrupt(number, request);
    }
    ring_.Finish();
    return true;
  }

  absl::Time MomentOf(uint64_t number) const { return moments_[ring_.SlotOf(number)]; }

  const std::unique_ptr<QueuePair> inner_;
  FaultyCompletionQueue& completion_queue_;
  const FaultPlan plan_;
  const uint64_t ordinal_;
  RequestRing ring_;
  std::vector<absl::Time> moments_;  ///< by slot: of its arrival, before that of its posting
  std::vector<WorkRequest> batch_;
  bool doomed_ = false;     ///< nothing is forwarded any more
  uint64_t forwarded_ = 0;  ///< requests that the inner queue pair has accepted, ...
  uint64_t completed_ = 0;  ///< ... completed, ...
  uint64_t arrived_ = 0;    ///< ... and completed with success
  CompletionStatus inner_failure_ = CompletionStatus::kSuccess;
};

size_t FaultyCompletionQueue::Poll(absl::Span<Completion> completions) {
  std::array<Completion, 64> arrived;
  const size_t arrivals =
      inner_->Poll(absl::MakeSpan(arrived).first(std::min(arrived.size(), completions.size())));
  for (const Completion& completion : absl::MakeConstSpan(arrived).first(arrivals)) {
    for (FaultyQueuePair* queue_pair : queue_pairs_) {
      if (queue_pair->ordinal() == completion.wr_id) queue_pair->Arrive(completion.status);
    }
  }
  size_t count = 0;
  for (FaultyQueuePair* queue_pair : queue_pairs_) {
    count += queue_pair->Take(completions.subspan(count));
  }
  return count;
}

void FaultyCompletionQueue::Wait(absl::Duration timeout) {
  absl::Time next = absl::InfiniteFuture();
  for (const FaultyQueuePair* queue_pair : queue_pairs_) {
    next = std::min(next, queue_pair->NextMoment());
  }
  const absl::Duration until_next = next - absl::Now();
  if (until_next > absl::ZeroDuration()) inner_->Wait(std::min(timeout, until_next));
}

class FaultyDevice final : public Device {
 public:
  FaultyDevice(std::unique_ptr<Device> inner, const FaultOptions& options)
      : inner_(std::move(inner)), options_(options) {}

  Kind kind() const override { return inner_->kind(); }

  absl::StatusOr<std::unique_ptr<MemoryRegion>> RegisterMemory(
      absl::Span<std::byte> memory) override {
    return inner_->RegisterMemory(memory);
  }

  absl::StatusOr<std::unique_ptr<CompletionQueue>> CreateCompletionQueue(size_t capacity) override {
    FARGRAPH_ASSIGN_OR_RETURN(auto queue, inner_->CreateCompletionQueue(capacity));
    return std::make_unique<FaultyCompletionQueue>(std::move(queue));
  }

  absl::StatusOr<std::unique_ptr<QueuePair>> Connect(const Endpoint& endpoint, const Ticket& ticket,
                                                     CompletionQueue& completion_queue,
                                                     const QueuePairOptions& options) override {
    auto& queue = static_cast<FaultyCompletionQueue&>(completion_queue);
    FARGRAPH_ASSIGN_OR_RETURN(auto queue_pair,
                              inner_->Connect(endpoint, ticket, queue.inner(), options));
    return std::make_unique<FaultyQueuePair>(std::move(queue_pair), queue, options_,
                                             connected_.fetch_add(1));
  }

  absl::StatusOr<std::unique_ptr<Listener>> Listen(const ListenOptions& options) override {
    return inner_->Listen(options);
  }

 private:
  const std::unique_ptr<Device> inner_;
  const FaultOptions options_;
  std::atomic<uint64_t> connected_{0};
};

}  // namespace

std::unique_ptr<Device> MakeFaultyDevice(std::unique_ptr<Device> device,
                                         const FaultOptions& options) {
  return std::make_unique<FaultyDevice>(std::move(device), options);
}

}  // namespace fargraph::transport
