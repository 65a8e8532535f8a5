#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_IN_FLIGHT_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_IN_FLIGHT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "common/transport/transport.h"

namespace fargraph::transport::verbs {

/// The outstanding requests of one queue pair, numbered from 0 in the order of posting. The
/// hardware reports only some of those that succeed and all that fail, in order; this makes one
/// completion of each. A request is carried by one or more work requests, whose number is bounded
/// too. Allocates at construction only. One thread.
///
///     taken <= finished <= posted <= taken + capacity
class InFlight {
 public:
  InFlight(size_t capacity, size_t work_requests)
      : slots_(capacity), free_work_requests_(work_requests) {}

  size_t capacity() const { return slots_.size(); }
  size_t outstanding() const { return posted_ - taken_; }
  size_t room() const { return capacity() - outstanding(); }
  size_t work_request_room() const { return free_work_requests_; }
  bool HasFinished() const { return taken_ < finished_; }
  bool HasUnfinished() const { return finished_ < posted_; }

  /// The number of the request that will be pushed next.
  uint64_t posted() const { return posted_; }

  /// There must be room for both.
  void Push(uint64_t wr_id, size_t work_requests) {
    SlotOf(posted_++) = {{wr_id, CompletionStatus::kSuccess}, work_requests};
    free_work_requests_ -= work_requests;
  }

  /// Request `number`, and so all before it, has succeeded.
  void Succeed(uint64_t number) { finished_ = std::max(finished_, number + 1); }

  /// Request `number` has failed, and all before it that nothing was said about have succeeded.
  /// Only the first report about a request counts: the pieces of a split one fail one by one.
  void Fail(uint64_t number, CompletionStatus status) {
    if (number < finished_) return;
    SlotOf(number).completion.status = status;
    finished_ = number + 1;
  }

  /// Nothing will be reported any more: the oldest request that nothing was said about has failed
  /// so, and those behind it are flushed.
  void FailRest(CompletionStatus status) {
    for (; finished_ < posted_; status = CompletionStatus::kFlushed) Fail(finished_, status);
  }

  /// Hands out the completions of finished requests, oldest first; returns how many.
  size_t Take(absl::Span<Completion> completions) {
    const size_t count = std::min<size_t>(completions.size(), finished_ - taken_);
    for (Completion& completion : completions.first(count)) {
      const Slot& slot = SlotOf(taken_++);
      completion = slot.completion;
      free_work_requests_ += slot.work_requests;
    }
    return count;
  }

 private:
  struct Slot {
    Completion completion;
    size_t work_requests = 0;
  };

  Slot& SlotOf(uint64_t number) { return slots_[number % slots_.size()]; }

  std::vector<Slot> slots_;
  size_t free_work_requests_;
  uint64_t taken_ = 0;
  uint64_t finished_ = 0;
  uint64_t posted_ = 0;
};

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_IN_FLIGHT_H_
