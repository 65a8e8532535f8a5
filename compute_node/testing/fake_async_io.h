#ifndef FARGRAPH_COMPUTE_NODE_TESTING_FAKE_ASYNC_IO_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_FAKE_ASYNC_IO_H_

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <random>
#include <vector>

#include "compute_node/tiers/async_io.h"

namespace fargraph {

/// A context that does everything that a host may: requests end in a random order, some time after
/// they were accepted; some are not accepted at first, some end early, some are interrupted.
class FakeAsyncIo : public AsyncIo {
 public:
  struct Faults {
    bool seldom = false;            ///< whether requests move at all, or are kept back, is random
    bool short_reads = false;       ///< some move a part of their blocks
    std::optional<int64_t> result;  ///< what a request ends with, instead of its bytes
    int submit_result = 0;          ///< if negative: what submitting ends with
    bool slow_file = false;  ///< requests to the file that is asked for first end after Hurry
  };

  FakeAsyncIo(unsigned seed, const Faults& faults, uint32_t depth)
      : random_(seed), faults_(faults), depth_(depth) {}

  /// What was slow ends as the others do.
  void Hurry() { faults_.slow_file = false; }

  int Submit(absl::Span<iocb*> requests) override {
    if (faults_.submit_result < 0) return faults_.submit_result;
    if (faults_.seldom && random_() % 4 == 0) return random_() % 2 == 0 ? -EAGAIN : -EINTR;
    size_t count = requests.size();
    if (faults_.seldom) count = 1 + random_() % count;
    if (first_file_ < 0) first_file_ = static_cast<int>(requests.front()->aio_fildes);
    under_way_.insert(under_way_.end(), requests.begin(), requests.begin() + count);
    most_under_way_ = std::max(most_under_way_, under_way_.size());
    return under_way_.size() <= depth_ ? static_cast<int>(count) : -EINVAL;
  }

  int GetEvents(int least, absl::Span<io_event> events, absl::Duration) override {
    if (faults_.seldom && random_() % 4 == 0) return random_() % 2 == 0 ? 0 : -EINTR;
    const auto slow = std::partition(under_way_.begin(), under_way_.end(), [&](const iocb* one) {
      return !faults_.slow_file || static_cast<int>(one->aio_fildes) != first_file_;
    });
    ending_ = static_cast<size_t>(slow - under_way_.begin());
    size_t count = std::min(events.size(), ending_);
    if (faults_.seldom && least == 0 && count > 0) count = random_() % count;
    for (io_event& event : events.first(count)) event = End();
    return static_cast<int>(count);
  }

  /// The most that were under way at once.
  size_t most_under_way() const { return most_under_way_; }

 private:
  io_event End() {
    const auto chosen = under_way_.begin() + static_cast<ptrdiff_t>(random_() % ending_--);
    iocb* const request = *chosen;
    under_way_.erase(chosen);
    return {
        .data = request->data, .obj = request, .res = static_cast<unsigned long>(Move(*request))};
  }

  int64_t Move(const iocb& request) {
    if (faults_.result) return *faults_.result;
    if (faults_.seldom && random_() % 8 == 0) return random_() % 2 == 0 ? -EAGAIN : -EINTR;
    uint64_t bytes = request.u.c.nbytes;
    constexpr uint64_t kPart = 4096;
    if (faults_.short_reads && bytes > kPart && random_() % 2 == 0) {
      bytes = (1 + random_() % (bytes / kPart)) * kPart;
    }
    const int64_t moved =
        request.aio_lio_opcode == IO_CMD_PREAD
            ? pread(request.aio_fildes, request.u.c.buf, bytes, request.u.c.offset)
            : pwrite(request.aio_fildes, request.u.c.buf, bytes, request.u.c.offset);
    return moved < 0 ? -errno : moved;
  }

  std::mt19937 random_;
  Faults faults_;
  const uint32_t depth_;
  std::vector<iocb*> under_way_;  ///< the first ending_ of them may end
  size_t ending_ = 0;
  int first_file_ = -1;
  size_t most_under_way_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_FAKE_ASYNC_IO_H_
