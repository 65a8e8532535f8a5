#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_WAITING_VERTICES_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_WAITING_VERTICES_H_

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "algorithms/building_blocks/buckets.h"
#include "algorithms/building_blocks/distance_sums.h"
#include "algorithms/building_blocks/shortest_distances.h"
#include "compute_node/engine/vertex_map.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "graph/ids.h"

/// For delta-stepping: who waits in which bucket by the distances alone, found in a pass over all
/// of them, on all cores, while nobody relaxes edges. Called from outside of parallel regions.
namespace fargraph {

/// How many vertices wait in each bucket from some one on.
struct WaitingCounts {
  std::vector<size_t> counts = std::vector<size_t>(Buckets::kOpen);  ///< of the first buckets
  uint64_t later = Buckets::kNone;  ///< the first bucket behind these in which one waits

  void Add(const WaitingCounts& other) {
    std::transform(counts.begin(), counts.end(), other.counts.begin(), counts.begin(),
                   std::plus<>());
    later = std::min(later, other.later);
  }
};

template <typename Weight>
WaitingCounts CountWaiting(const ShortestDistances<Weight>& distances, uint64_t from) {
  const auto view = distances.view();
  const VertexId vertices = distances.vertices();
  WaitingCounts all;
#pragma omp parallel if (vertices > kVerticesInTurn)
  {
    WaitingCounts mine;
#pragma omp for schedule(static, kVerticesInTurn) nowait
    for (VertexId v = 0; v < vertices; ++v) {
      if (view.distances[v] >= SumsOf<Weight>::kTooFar) continue;
      const uint64_t bucket = view.bucket_of(view.distances[v]);
      if (bucket < from) continue;
      if (bucket - from < Buckets::kOpen) {
        ++mine.counts[bucket - from];
      } else {
        mine.later = std::min(mine.later, bucket);
      }
    }
#pragma omp critical
    all.Add(mine);
  }
  return all;
}

/// The next buckets to have their turn.
struct Waiting {
  uint64_t first = Buckets::kNone;     ///< bucket that is not empty
  uint64_t left_out = Buckets::kNone;  ///< the next one; below it are few, or all in the first
};

/// From bucket `from` on, as many as together have `most` vertices.
template <typename Weight>
Waiting FindWaiting(const ShortestDistances<Weight>& distances, uint64_t from, size_t most) {
  const auto [counts, later] = CountWaiting(distances, from);
  const auto first =
      std::find_if(counts.begin(), counts.end(), [](size_t count) { return count > 0; });
  if (first == counts.end()) {
    return later == Buckets::kNone ? Waiting() : FindWaiting(distances, later, most);
  }
  auto next = first + 1;
  for (size_t few = *first; next != counts.end(); ++next) {
    few += *next;
    if (few > most) break;
  }
  return {.first = from + (first - counts.begin()),
          .left_out = next == counts.end() ? later : from + (next - counts.begin())};
}

template <typename Weight>
VertexSubset VerticesIn(const ShortestDistances<Weight>& distances, uint64_t bucket) {
  return VertexFilter(distances.vertices(), [bucket, view = distances.view()](VertexId v) -> bool {
    const auto distance = view.distances[v];
    return (view.bucket_of(distance) == bucket) &
           (distance < SumsOf<Weight>::kTooFar);  // without a branch
  });
}

/// Opens the buckets and has all wait who belong there, without those behind.
template <typename Weight>
void FillBuckets(const ShortestDistances<Weight>& distances, const Waiting& waiting,
                 Buckets& buckets) {
  const auto view = distances.view();
  const VertexId vertices = distances.vertices();
  buckets.Open(waiting.first, waiting.left_out);
#pragma omp parallel if (vertices > kVerticesInTurn)
  {
    Buckets::Own& mine = buckets.OfThread(omp_get_thread_num());
#pragma omp for schedule(static, kVerticesInTurn)
    for (VertexId v = 0; v < vertices; ++v) {
      if (view.distances[v] >= SumsOf<Weight>::kTooFar) continue;
      const uint64_t bucket = view.bucket_of(view.distances[v]);
      if (bucket >= waiting.first) mine.Push(bucket, v);
    }
  }
}

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_WAITING_VERTICES_H_
