#ifndef FARGRAPH_COMPUTE_NODE_TESTING_FAKE_ASYNC_IO_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_FAKE_ASYNC_IO_H_

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

  int Submit(absl::Span<iocb*> requests) override;
  int GetEvents(int least, absl::Span<io_event> events, absl::Duration) override;

  /// The most that were under way at once.
  size_t most_under_way() const { return most_under_way_; }

 private:
  io_event End();
  int64_t Move(const iocb& request);

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
