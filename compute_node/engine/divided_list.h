#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_DIVIDED_LIST_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_DIVIDED_LIST_H_

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "absl/types/span.h"

namespace fargraph {

/// A list of work, vertices or chunks, handed out to the threads of a team. Each thread has a part
/// of the list for itself, and when that is done helps with those of others. What lies side by side
/// in the list leads to the same other vertices more often than not: threads rarely write where
/// another one does, and find in their caches what they left there a step ago.
template <typename T>
class DividedList {
 public:
  /// Nothing.
  DividedList() = default;

  /// For a team of `threads`; what the span is of outlives the list.
  DividedList(absl::Span<const T> all, int threads) : all_(all), parts_(std::max(threads, 1)) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].next = all.size() * i / parts_.size();
      parts_[i].end = all.size() * (i + 1) / parts_.size();
    }
  }

  /// So many there were at first.
  size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }

  /// Up to `most` for the calling thread; none when there are none left. Any thread may call.
  absl::Span<const T> Take(size_t most) {
    const size_t own = omp_get_thread_num();
    for (size_t i = 0; i < parts_.size(); ++i) {
      Part& part = parts_[(own + i) % parts_.size()];
      if (part.next.load(std::memory_order_relaxed) >= part.end) continue;
      const size_t begin = part.next.fetch_add(most, std::memory_order_relaxed);
      if (begin < part.end) return all_.subspan(begin, std::min(most, part.end - begin));
    }
    return {};
  }

  /// Calls visit(some) for what the calling thread takes, up to `most` at a time, until none are
  /// left. Any thread may call.
  template <typename Visit>
  void TakeAll(size_t most, Visit&& visit) {
    for (auto some = Take(most); !some.empty(); some = Take(most)) visit(some);
  }

 private:
  struct alignas(64) Part {
    std::atomic<size_t> next = 0;
    size_t end = 0;
  };

  absl::Span<const T> all_;
  std::vector<Part> parts_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_DIVIDED_LIST_H_
