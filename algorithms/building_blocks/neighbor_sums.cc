#include "algorithms/building_blocks/neighbor_sums.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "algorithms/building_blocks/are_cached.h"
#include "algorithms/building_blocks/prefetched.h"
#include "common/dispatch.h"

namespace fargraph {
namespace {

/// In four sums, for an addition takes until the one before is done, and with the question where
/// the lists end once for four neighbours: a core that has less to do sees further ahead. How the
/// terms are added does not depend on where that is.
template <typename Real>
Real SumUncached(absl::Span<const VertexId> neighbors, const VertexId* end, const Real* held) {
  constexpr ptrdiff_t kSums = 4;
  Real sums[kSums] = {};
  const VertexId* neighbor = neighbors.data();
  const VertexId* const list_end = neighbor + neighbors.size();
  ptrdiff_t can_ask = std::min(list_end - neighbor, end - neighbor - kTermsAhead);
  for (; can_ask >= kSums; can_ask -= kSums, neighbor += kSums) {
    for (ptrdiff_t i = 0; i < kSums; ++i) __builtin_prefetch(&held[neighbor[kTermsAhead + i]]);
    for (ptrdiff_t i = 0; i < kSums; ++i) sums[i] += held[neighbor[i]];
  }
  for (; list_end - neighbor >= kSums; neighbor += kSums) {
    for (ptrdiff_t i = 0; i < kSums; ++i) sums[i] += PrefetchedTerm(neighbor + i, end, held);
  }
  for (; neighbor != list_end; ++neighbor) sums[0] += PrefetchedTerm(neighbor, end, held);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <typename Real>
FARGRAPH_DISPATCHED Real SumCached(absl::Span<const VertexId> neighbors, const Real* held) {
  Real sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < neighbors.size(); ++i) sum += held[neighbors[i]];
  return sum;
}

/// What a register of AVX2 holds: the compiler passes more through memory there, and sums of
/// doubles take three times as long.
constexpr size_t kVectorBytes = 32;

template <typename Vector>
[[gnu::always_inline]] inline auto SumOfLanes(Vector v) {
  if constexpr (sizeof(v[0]) == sizeof(float)) {
    v += __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
    v += __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5);
  } else {
    v += __builtin_shufflevector(v, v, 2, 3, 0, 1);
  }
  return v[0] + v[1];
}

/// The sum of so many terms, behind which there is room for another vector. Goes by vectors, of
/// which the last one counts in part: how many single terms there are cannot be foreseen.
template <typename Real>
[[gnu::always_inline]] inline Real SumOf(const Real* terms, uint64_t count) {
  typedef Real Vector __attribute__((vector_size(kVectorBytes)));
  typedef std::conditional_t<sizeof(Real) == sizeof(int32_t), int32_t, int64_t> Lane;
  typedef Lane Lanes __attribute__((vector_size(kVectorBytes)));
  constexpr Lane kWidth = kVectorBytes / sizeof(Real);
  Lanes lanes;
  for (Lane i = 0; i < kWidth; ++i) lanes[i] = i;
  Vector sum = {};
  for (int64_t left = static_cast<int64_t>(count); left > 0; left -= kWidth, terms += kWidth) {
    Vector vector;
    std::memcpy(&vector, terms, sizeof(vector));
    sum += lanes < static_cast<Lane>(left) ? vector : Vector{};
  }
  return SumOfLanes(sum);
}

/// What every list of a run sums up to. Where a short list ends cannot be foreseen, so if the
/// lists are short the terms of many of them are gathered as if these were one.
template <typename Real>
FARGRAPH_DISPATCHED void SumRun(const ListRun& run, const Real* held, bool cached, Real* sums) {
  constexpr EdgeOffset kMostTerms = 1024;
  constexpr EdgeOffset kShort = 16;
  Real terms[kMostTerms + kVectorBytes / sizeof(Real)] = {};
  const EdgeOffset* const index = run.index.data();
  const VertexId* const edges_end = run.edges + (index[run.size()] - index[0]);
  const bool are_short = index[run.size()] - index[0] < kShort * run.size();
  const EdgeOffset most_at_once = are_short ? kMostTerms : 0;
  for (size_t first = 0, end; first < run.size(); first = end) {
    const VertexId* const neighbors = run.edges + (index[first] - index[0]);
    for (end = first + 1; end < run.size() && index[end + 1] - index[first] <= most_at_once;
         ++end) {
    }
    const EdgeOffset count = index[end] - index[first];
    if (count > most_at_once) {
      const absl::Span<const VertexId> list(neighbors, count);
      sums[first] = cached ? SumCached(list, held) : SumUncached(list, edges_end, held);
      continue;
    }
    if (cached) {
#pragma omp simd
      for (EdgeOffset i = 0; i < count; ++i) terms[i] = held[neighbors[i]];
    } else {
      for (EdgeOffset i = 0; i < count; ++i)
        terms[i] = PrefetchedTerm(neighbors + i, edges_end, held);
    }
    for (size_t i = first; i < end; ++i) {
      sums[i] = SumOf(terms + (index[i] - index[first]), index[i + 1] - index[i]);
    }
  }
}

}  // namespace

template <typename Real>
NeighborSums<Real>::NeighborSums(absl::Span<const Real> held)
    : held_(held.data()), cached_(AreCached<Real>(held.size())) {}

template <typename Real>
void NeighborSums<Real>::operator()(Real& sum, absl::Span<const VertexId> neighbors) const {
  sum += cached_ ? SumCached(neighbors, held_) : SumUncached(neighbors, neighbors.end(), held_);
}

template <typename Real>
void NeighborSums<Real>::operator()(const ListRun& run, Real* sums) const {
  SumRun(run, held_, cached_, sums);
}

template class NeighborSums<float>;
template class NeighborSums<double>;

}  // namespace fargraph
