#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_PREFETCHED_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_PREFETCHED_H_

#include <algorithm>
#include <cstddef>

#include "absl/types/span.h"
#include "graph/ids.h"

namespace fargraph {

enum class PrefetchFor { kRead, kWrite };

/// The neighbours in a list, in order, for a loop that goes to `values[neighbor]` for each: that of
/// a later one is asked for meanwhile, since a core does not look ahead far enough by itself where
/// no cache holds all values. Borrows both.
template <PrefetchFor kUse, typename T>
class Prefetched {
 public:
  class Iterator {
   public:
    Iterator(const VertexId* neighbor, const VertexId* end, const T* values)
        : neighbor_(neighbor), end_(end), values_(values) {}

    VertexId operator*() const { return *neighbor_; }
    Iterator& operator++() {
      if (end_ - neighbor_ > kAhead) Ask(values_[neighbor_[kAhead]]);
      ++neighbor_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return neighbor_ != other.neighbor_; }

   private:
    const VertexId* neighbor_;
    const VertexId* const end_;
    const T* const values_;
  };

  Prefetched(absl::Span<const VertexId> neighbors, const T* values)
      : neighbors_(neighbors), values_(values) {}

  Iterator begin() const {
    for (const VertexId neighbor : neighbors_.first(std::min<size_t>(neighbors_.size(), kAhead)))
      Ask(values_[neighbor]);
    return {neighbors_.begin(), neighbors_.end(), values_};
  }
  Iterator end() const { return {neighbors_.end(), neighbors_.end(), values_}; }

 private:
  static constexpr ptrdiff_t kAhead = 16;

  static void Ask(const T& value) { __builtin_prefetch(&value, kUse == PrefetchFor::kWrite); }

  const absl::Span<const VertexId> neighbors_;
  const T* const values_;
};

/// The neighbours, for a loop that reads `values[neighbor]` for each.
template <typename T>
Prefetched<PrefetchFor::kRead, T> PrefetchedToRead(absl::Span<const VertexId> neighbors,
                                                   const T* values) {
  return {neighbors, values};
}

/// The neighbours, for a loop that writes to `values[neighbor]` for each.
template <typename T>
Prefetched<PrefetchFor::kWrite, T> PrefetchedToWrite(absl::Span<const VertexId> neighbors,
                                                     const T* values) {
  return {neighbors, values};
}

/// How far ahead of a neighbour PrefetchedTerm asks.
inline constexpr ptrdiff_t kTermsAhead = 64;

/// What *neighbor holds, for loops that add it up over lists which lie one behind the other: that
/// of a later neighbour, perhaps of a later list, is asked for meanwhile. `end`: of those that are
/// here.
template <typename Real>
[[gnu::always_inline]] inline Real PrefetchedTerm(const VertexId* neighbor, const VertexId* end,
                                                  const Real* held) {
  if (end - neighbor > kTermsAhead) __builtin_prefetch(&held[neighbor[kTermsAhead]]);
  return held[*neighbor];
}

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_PREFETCHED_H_
