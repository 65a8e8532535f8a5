#ifndef FARGRAPH_COMMON_TRANSPORT_REQUEST_RING_H_
#define FARGRAPH_COMMON_TRANSPORT_REQUEST_RING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "common/transport/transport.h"

namespace fargraph::transport {

/// The outstanding requests of one queue pair, in the order of posting. Requests are numbered from
/// 0; the oldest ones are finished (their bytes have arrived) and wait to be taken, the others are
/// pending. Allocates at construction only. One thread.
///
///     taken <= finished <= posted
class RequestRing {
 public:
  explicit RequestRing(size_t capacity) : requests_(capacity) {}

  size_t capacity() const { return requests_.size(); }
  size_t outstanding() const { return posted_ - taken_; }
  size_t room() const { return capacity() - outstanding(); }

  /// The number of the first pending request, and of the one that will be posted next.
  uint64_t finished() const { return finished_; }
  uint64_t posted() const { return posted_; }
  bool has_pending() const { return finished_ < posted_; }
  /// Finished requests whose completions have not been taken.
  size_t untaken() const { return finished_ - taken_; }

  size_t SlotOf(uint64_t number) const { return number % capacity(); }
  const WorkRequest& operator[](uint64_t number) const { return requests_[SlotOf(number)]; }

  /// There must be room.
  void Push(const WorkRequest& request) { requests_[SlotOf(posted_++)] = request; }

  /// The first pending request has succeeded.
  void Finish() { ++finished_; }

  /// The first pending request, if there is one, has failed so, and those behind it are flushed.
  void Fail(CompletionStatus status) {
    failed_ = true;
    first_failure_ = finished_;
    failure_ = status;
    finished_ = posted_;
  }

  /// Whether Fail has been called.
  bool failed() const { return failed_; }

  /// Hands out the completions of finished requests, oldest first; returns how many.
  size_t Take(absl::Span<Completion> completions) {
    const size_t count = std::min<size_t>(completions.size(), finished_ - taken_);
    for (Completion& completion : completions.first(count)) {
      completion.wr_id = (*this)[taken_].wr_id;
      completion.status = StatusOf(taken_++);
    }
    return count;
  }

 private:
  CompletionStatus StatusOf(uint64_t number) const {
    if (!failed_ || number < first_failure_) return CompletionStatus::kSuccess;
    return number == first_failure_ ? failure_ : CompletionStatus::kFlushed;
  }

  std::vector<WorkRequest> requests_;
  uint64_t taken_ = 0;
  uint64_t finished_ = 0;
  uint64_t posted_ = 0;
  bool failed_ = false;
  uint64_t first_failure_ = 0;
  CompletionStatus failure_ = CompletionStatus::kSuccess;
};

}  // namespace fargraph::transport

#endif  // FARGRAPH_COMMON_TRANSPORT_REQUEST_RING_H_
