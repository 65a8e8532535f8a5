#ifndef FARGRAPH_COMPUTE_NODE_DIRECTIVES_ACCESS_SAMPLER_H_
#define FARGRAPH_COMPUTE_NODE_DIRECTIVES_ACCESS_SAMPLER_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/directives/access_counts.h"
#include "compute_node/directives/page_watch.h"
#include "compute_node/placement/segment.h"

namespace fargraph {

/// What the looks at an array have shown.
struct SampledAccesses {
  AccessCounts counts;
  bool written = false;
  double touches_per_second = 0;  ///< of pages, while it was looked at

  /// nullopt if the program was seen to touch too little of the array.
  std::optional<Behaviour> behaviour() const;
};

/// Watches which pages of its arrays a running program touches, in which order, and whether it
/// writes to them; any number of its threads.
///
/// A look at an array protects its pages (mprotect): the first touch of a page is a fault, which is
/// noted and opens the page, and closes another so that 16 are open at any time. After 128 touches
/// the look is over and the array rests, with all pages open but for its first write. At first it
/// rests 8 ms. The counts of 64 looks are kept: when there are more, every second one is dropped
/// and rests become twice as long. So an array costs at most 128 faults, of some microseconds each,
/// in 8 ms, ever less in a longer run, and the looks spread over the whole of it.
///
/// What is not watched shows no touches: less than 64 whole pages, and arrays on hugetlbfs pages.
/// Transparent huge pages are broken up. System calls that are given a part of an array may fail
/// with EFAULT meanwhile. Linux on x86-64.
class AccessSampler {
 public:
  /// Begins to look at `arrays`, which must stay where they are until Stop. FailedPrecondition when
  /// the process has another sampler; InvalidArgument when arrays overlap, or are not mapped
  /// readable as a whole and with one protection; Unimplemented on other processors.
  static absl::StatusOr<std::unique_ptr<AccessSampler>> Start(
      const std::vector<absl::Span<const std::byte>>& arrays);

  AccessSampler(const AccessSampler&) = delete;
  AccessSampler& operator=(const AccessSampler&) = delete;
  ~AccessSampler();  ///< stops

  /// Opens all pages for good, brings the process's SIGSEGV handler back, and returns what was
  /// seen of each array. Once only; one thread.
  std::vector<SampledAccesses> Stop();

 private:
  using Clock = std::chrono::steady_clock;

  /// The looks at one array.
  struct Looks {
    std::vector<AccessCounts> counts;  ///< of those that are over
    Clock::duration watched = {};      ///< in which they and those that were dropped took place
    uint64_t touches = 0;              ///< of all these
    Clock::time_point since;           ///< of the look, or of the rest
    bool looking = false;
    int rest_factor = 1;
  };

  AccessSampler(std::unique_ptr<PageWatch> watch, size_t arrays);
  void LookAndRest();
  void BeginLook(size_t array);
  void EndLook(size_t array);

  std::unique_ptr<PageWatch> watch_;
  std::mutex mutex_;
  std::condition_variable stop_changed_;
  bool stop_ = false;         ///< under mutex_
  std::vector<Looks> looks_;  ///< at each array; the thread's, until it is joined
  std::thread thread_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_DIRECTIVES_ACCESS_SAMPLER_H_
