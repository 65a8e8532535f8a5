#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_DELTA_STEPPING_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_DELTA_STEPPING_H_

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/building_blocks/buckets.h"
#include "algorithms/building_blocks/distance_sums.h"
#include "algorithms/building_blocks/shortest_distances.h"
#include "algorithms/building_blocks/waiting_vertices.h"
#include "common/status_macros.h"
#include "compute_node/engine/divided_list.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/on_team.h"
#include "compute_node/engine/vertex_map.h"
#include "compute_node/engine/walk_local_lists.h"
#include "compute_node/pipeline/list_cache.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/segment.h"
#include "graph/bitmap.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"

namespace fargraph {

/// The search of sssp.cc. Calls come from outside of parallel regions, while the graph lives.
///
/// Where few vertices wait they do so in buckets, a vertex whose distance has fallen in its old
/// bucket too. Where more wait, and for those far behind, there are no buckets: a pass over all
/// distances finds who waits. So what waits takes little memory, however much it is.
template <typename Weight>
class DeltaStepping {
 public:
  DeltaStepping(Graph& graph, double delta)
      : graph_(graph),
        vertices_(graph.vertices()),
        lists_(graph.Lists(Direction::kOut)),
        largest_degree_(lists_.largest_degree()),
        cache_(graph.cache(lists_)),
        distances_(vertices_, delta),
        threads_(omp_get_max_threads()) {}

  /// What is held at most while it searches, but for the distances.
  static DataSegment BucketsSegment(uint64_t vertices) {
    return {.name = "buckets",
            .bytes = 5 * sizeof(VertexId) / 4 * (MostWaiting(vertices) + MostAdded(vertices)),
            .behaviour = kSequentialReadWrite};
  }

  /// InvalidArgument where a weight or a distance cannot be; errors of a scan pass through.
  absl::Status SearchFrom(VertexId source) {
    distances_.BeginAt(source);
    uint64_t bucket = 0;
    while (bucket != Buckets::kNone) {
      if (VertexSubset active = VerticesIn(distances_, bucket); active.size() > MostWalked()) {
        FARGRAPH_RETURN_IF_ERROR(ScanBucket(bucket, std::move(active), 0));
        ++bucket;
        continue;
      }
      const Waiting next = FindWaiting(distances_, bucket, MostFilled(vertices_));
      if (next.first == bucket) {
        FillBuckets(distances_, next, buckets_);
        FARGRAPH_ASSIGN_OR_RETURN(bucket, WalkBuckets());
      } else {
        bucket = next.first;
      }
    }
    return distances_.CheckDistances();
  }

  VertexArray<Weight> TakeDistances() { return distances_.Take(); }

 private:
  using Distance = typename ShortestDistances<Weight>::Distance;

  struct alignas(64) Thread {
    std::vector<VertexId> batch;   ///< of the current bucket, to be fused
    std::vector<VertexId> others;  ///< of it, those whose lists are not at hand
    size_t walked = 0;             ///< vertices whose lists it has looked for
  };

  static constexpr size_t kMostSerial = 64;  ///< vertices of a step that is not worth a barrier
  static constexpr size_t kMostFused = 1000;
  static constexpr Distance kTooFar = SumsOf<Weight>::kTooFar;

  /// In buckets, at the beginning of a step.
  static size_t MostWaiting(uint64_t vertices) { return vertices / 16; }
  /// In buckets, when these are filled.
  static size_t MostFilled(uint64_t vertices) { return vertices / 32; }
  /// The edges in a step that adds to buckets.
  static size_t MostAdded(uint64_t vertices) { return vertices / 16; }
  /// The vertices in such a step.
  size_t MostWalked() const { return vertices_ / 64; }

  /// The turns of buckets as long as there are any, and not too much waits; returns the next one.
  absl::StatusOr<uint64_t> WalkBuckets() {
    while (buckets_.Next()) {
      uint64_t vertices = 0;
      std::vector<VertexId> frontier = buckets_.TakeCurrent();
      while (!frontier.empty()) {
        if (IsMuch(frontier)) {
          VertexSubset active = Subset(std::move(frontier));
          buckets_.Open(buckets_.current(), Buckets::kNone);
          FARGRAPH_RETURN_IF_ERROR(ScanBucket(buckets_.current(), std::move(active), vertices));
          return buckets_.current() + 1;
        }
        vertices += frontier.size();
        frontier = Walk(frontier);
        if (!frontier.empty()) FARGRAPH_RETURN_IF_ERROR(ScanOthers(std::move(frontier)));
        frontier = buckets_.TakeCurrent();
      }
      FARGRAPH_RETURN_IF_ERROR(EndTurn(vertices));
    }
    return buckets_.left_out();
  }

  /// True if a step of these vertices, or what waits, is too much for buckets.
  bool IsMuch(absl::Span<const VertexId> frontier) const {
    return frontier.size() > MostWalked() || buckets_.waiting() > MostWaiting(vertices_) ||
           HaveManyEdges(frontier);
  }
  bool HaveManyEdges(absl::Span<const VertexId> vertices) const {
    if (vertices.size() * largest_degree_ <= MostAdded(vertices_)) return false;
    return lists_.SumOfDegrees(vertices) > MostAdded(vertices_);
  }

  /// The turn of a bucket from the step of the `active` on, while no others are there. `vertices`:
  /// how many of it have been walked already.
  absl::Status ScanBucket(uint64_t bucket, VertexSubset active, uint64_t vertices) {
    while (!active.empty()) {
      vertices += active.size();
      Bitmap next(vertices_);
      FARGRAPH_RETURN_IF_ERROR(Scan(active, [&](uint64_t bucket_of_target, Distance, VertexId v) {
        if (bucket_of_target == bucket) next.Set(v);
      }));
      active = VertexSubset(std::move(next)).ListedIfFew();
    }
    return EndTurn(vertices);
  }

  absl::Status EndTurn(uint64_t vertices) {
    graph_.EndIteration(vertices);
    FARGRAPH_RETURN_IF_ERROR(distances_.CheckWeights(graph_));
    return graph_.CheckCancelled();
  }

  /// Relaxes the lists of the frontier that are at hand, and of what that adds to the bucket as
  /// long as it and what waits are little; returns the vertices whose lists are not.
  std::vector<VertexId> Walk(absl::Span<const VertexId> frontier) {
    const bool parallel = frontier.size() > kMostSerial;
    DividedList<VertexId> batches(frontier, parallel ? omp_get_max_threads() : 1);
    OnTeam(parallel, [&] {
      Thread& mine = threads_[omp_get_thread_num()];
      Buckets::Own& buckets = buckets_.OfThread(omp_get_thread_num());
      batches.TakeAll(VertexSubset::kBatch,
                      [&](absl::Span<const VertexId> batch) { WalkLists(batch, mine, buckets); });
      std::vector<VertexId>& added = buckets_.Current(buckets);
      const size_t most_waiting = MostWaiting(vertices_) / omp_get_num_threads();
      while (!added.empty() && added.size() < kMostFused && buckets.waiting() <= most_waiting &&
             !HaveManyEdges(added)) {
        mine.batch.swap(added);
        WalkLists(mine.batch, mine, buckets);
        mine.batch.clear();
      }
    });
    std::vector<VertexId> others;
    size_t walked = 0;
    for (Thread& thread : threads_) {
      others.insert(others.end(), thread.others.begin(), thread.others.end());
      thread.others.clear();
      walked += std::exchange(thread.walked, 0);
    }
    if (cache_ != nullptr) cache_->CountFound(walked - others.size());
    return others;
  }

  void WalkLists(absl::Span<const VertexId> vertices, Thread& mine, Buckets::Own& buckets) {
    const auto relax = [&](VertexId v, absl::Span<const VertexId> neighbors, auto weights) {
      if (IsCurrent(v)) distances_.Relax(v, neighbors, weights, PutInto(buckets));
    };
    mine.walked += vertices.size();
    WalkLocalLists<Weight>(lists_, cache_, vertices, relax, mine.others);
  }

  /// Relaxes the lists of the frontier in the order in which they lie.
  absl::Status ScanOthers(std::vector<VertexId> frontier) {
    return Scan(Subset(std::move(frontier)), [this](uint64_t bucket, Distance before, VertexId v) {
      PutInto(buckets_.OfThread(omp_get_thread_num()))(bucket, before, v);
    });
  }

  template <typename Found>
  absl::Status Scan(const VertexSubset& active, const Found& found) {
    return ForEachWeightedList<Weight>(
        graph_, Direction::kOut, &active,
        [&](VertexId v, absl::Span<const VertexId> neighbors, auto weights) {
          distances_.Relax(v, neighbors, weights, found);
        });
  }

  /// Those of `vertices`, in which some may occur repeatedly, that still belong to the bucket.
  VertexSubset Subset(std::vector<VertexId> vertices) const {
    std::erase_if(vertices, [&](VertexId v) { return !IsCurrent(v); });
    if (vertices.size() > VertexSubset::MostSparse(vertices_)) {
      Bitmap bits(vertices_);
      bits.SetAll(vertices);
      return VertexSubset(std::move(bits)).ListedIfFew();
    }
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    return VertexSubset(vertices_, std::move(vertices));
  }

  /// False of a vertex that has since moved to an earlier bucket, whose turn is over.
  bool IsCurrent(VertexId v) const {
    return distances_.BucketOf(distances_[v]) == buckets_.current();
  }

  /// Has the vertices that are found wait.
  auto PutInto(Buckets::Own& buckets) const {
    return [this, &buckets](uint64_t bucket, Distance before, VertexId v) {
      if (!WaitsIn(bucket, before)) buckets.Push(bucket, v);
    };
  }

  /// True of a later bucket into which the distance `before` has put a vertex.
  bool WaitsIn(uint64_t bucket, Distance before) const {
    return bucket != buckets_.current() && before < kTooFar &&
           bucket == distances_.BucketOf(before);
  }

  Graph& graph_;
  const VertexId vertices_;
  const EdgeLists& lists_;
  const EdgeOffset largest_degree_;
  ListCache* const cache_;  ///< of them; nullptr where there is none
  ShortestDistances<Weight> distances_;
  Buckets buckets_;
  std::vector<Thread> threads_;
};

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_DELTA_STEPPING_H_
