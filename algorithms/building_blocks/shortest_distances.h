#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_SHORTEST_DISTANCES_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_SHORTEST_DISTANCES_H_

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/building_blocks/are_cached.h"
#include "algorithms/building_blocks/distance_sums.h"
#include "common/status_macros.h"
#include "compute_node/engine/graph.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"

namespace fargraph {

/// The shortest distance from a source to each vertex that has been found so far, and the bucket of
/// width `delta` in which it is. Threads of a team may relax edges, and look at distances, at once.
template <typename Weight>
class ShortestDistances {
 public:
  using Sums = SumsOf<Weight>;
  using Distance = typename Sums::Distance;

  ShortestDistances(VertexId vertices, double delta)
      : bucket_of_(delta),
        column_(vertices, static_cast<Weight>(Sums::kUnreached)),
        distances_(reinterpret_cast<Distance*>(column_.data())),
        prefetch_distance_(AreCached<Weight>(vertices) ? kNoPrefetch : kPrefetchDistance),
        threads_(omp_get_max_threads()) {}

  void BeginAt(VertexId source) { distances_[source] = 0; }

  VertexId vertices() const { return static_cast<VertexId>(column_.size()); }
  Distance operator[](VertexId v) const {
    return std::atomic_ref(distances_[v]).load(std::memory_order_relaxed);
  }
  uint64_t BucketOf(Distance distance) const { return bucket_of_(distance); }

  /// What a loop over all of them keeps in registers, while nobody relaxes edges.
  struct View {
    const Distance* distances;
    typename Sums::BucketOf bucket_of;
  };
  View view() const { return {distances_, bucket_of_}; }

  /// Relaxes edges of v, weights[i] for neighbors[i]: calls found(bucket, distance before,
  /// neighbour) for each neighbour whose distance falls.
  template <typename Weights, typename Found>
  void Relax(VertexId v, absl::Span<const VertexId> neighbors, Weights weights,
             const Found& found) {
    const Distance distance = (*this)[v];
    const size_t prefetched = neighbors.size() - std::min(neighbors.size(), prefetch_distance_);
    for (size_t i = 0; i < neighbors.size(); ++i) {
      if (i < prefetched) __builtin_prefetch(&distances_[neighbors[i + prefetch_distance_]]);
      const Weight weight = weights[i];
      if (weight < 0) {
        threads_[omp_get_thread_num()].negative_edge = {v, neighbors[i], weight};
        return;
      }
      const Distance through_v = Sums::Add(distance, weight);
      const Distance before = Lower(neighbors[i], through_v);
      if (before <= through_v || through_v == Sums::kTooFar) continue;
      found(bucket_of_(through_v), before, neighbors[i]);
    }
  }

  /// InvalidArgument if an edge that was relaxed has a weight that cannot be, with the vertices as
  /// `graph` names them.
  absl::Status CheckWeights(const Graph& graph) const {
    for (const Thread& thread : threads_) {
      if (!thread.negative_edge) continue;
      const auto& [source, target, weight] = *thread.negative_edge;
      FARGRAPH_ASSIGN_OR_RETURN(const uint64_t source_id, graph.InputId(source));
      FARGRAPH_ASSIGN_OR_RETURN(const uint64_t target_id, graph.InputId(target));
      return absl::InvalidArgumentError(absl::StrCat(
          "sssp cannot use negative weights, and the edge from ", source_id, " to ", target_id,
          " has weight ", weight, "; convert the graph again with weights from 0 up"));
    }
    return absl::OkStatus();
  }

  /// InvalidArgument if a distance is longer than can be told.
  absl::Status CheckDistances() const {
    if constexpr (Sums::kTooFar < Sums::kUnreached) {
      Distance* const end = distances_ + column_.size();
      if (std::find(distances_, end, Sums::kTooFar) != end) {
        return absl::InvalidArgumentError(
            "sssp cannot hold a distance of 2^31 or more, to which the weights add up; convert the "
            "graph again with smaller weights, or with a decimal point in one to have float "
            "weights");
      }
    }
    return absl::OkStatus();
  }

  VertexArray<Weight> Take() { return std::move(column_); }

 private:
  struct NegativeEdge {
    VertexId source;
    VertexId target;
    Weight weight;
  };
  struct alignas(64) Thread {
    std::optional<NegativeEdge> negative_edge;  ///< that it has come across
  };

  static constexpr size_t kPrefetchDistance = 16;
  static constexpr size_t kNoPrefetch = std::numeric_limits<size_t>::max();

  /// Takes the distance if it is shorter than the one so far, and returns that.
  Distance Lower(VertexId v, Distance distance) {
    std::atomic_ref shortest(distances_[v]);
    Distance before = shortest.load(std::memory_order_relaxed);
    while (distance < before &&
           !shortest.compare_exchange_weak(before, distance, std::memory_order_relaxed)) {
    }
    return before;
  }

  const typename Sums::BucketOf bucket_of_;
  VertexArray<Weight> column_;
  Distance* const distances_;       ///< the column, as what it is compared as
  const size_t prefetch_distance_;  ///< longer than any list where caches hold all distances
  std::vector<Thread> threads_;
};

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_SHORTEST_DISTANCES_H_
