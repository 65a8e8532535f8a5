/*
Single-source shortest paths: the distance of every vertex from a source along out-edges, which is
the sum of the weights on the lightest path.

Delta-stepping. Vertices wait in buckets by their distance so far, each bucket `delta` wide, and the
buckets have their turn in order: the vertices of a bucket relax their edges, which lowers distances
of neighbours and puts these into the same bucket or a later one, until the bucket stays empty.
Within a bucket the order is free, so all cores share it; a vertex whose distance falls again
relaxes again. A small delta makes many steps, each of which reads a few lists here and there, and a
large one much work in vain. Unless told otherwise the kernel takes eight times the mean weight over
the mean degree, so that of edges with random weights some four lead a vertex to the same bucket:
four times the delta of Meyer and Sanders, who count relaxations alone.

Buckets belong to threads, so to fill them takes no synchronisation. In a step of few vertices the
threads share out the lists one by one, and each goes on with what it adds to the same bucket before
it waits for the others (bucket fusion): a road network would else spend its time in barriers. Lists
that are far, and all lists of a step of many vertices, are scanned in the order in which they lie.

Values: a distance is the exact sum of int32 weights, or the float sum from the source on, least
over all paths, so that it is the same on every placement and for any number of threads. Where no
path leads it is -1, or infinity for float weights. In a graph without weights every edge has
weight 1.

Ulrich Meyer and Peter Sanders. "Delta-stepping: A Parallelizable Shortest Path Algorithm." Journal
of Algorithms, 49(1):114-152, October 2003.
Yunming Zhang, Ajay Brahmakshatriya, Xinyi Chen, Laxman Dhulipala, Shoaib Kamil, Saman Amarasinghe,
and Julian Shun. "Optimizing Ordered Graph Algorithms with GraphIt." International Symposium on Code
Generation and Optimization (CGO), San Diego, California, February 2020.
*/

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/buckets.h"
#include "algorithms/sssp_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/list_scan.h"
#include "compute_node/engine/local_list.h"

namespace fargraph {
namespace {

/// How sums of one type of weights are held: distances < kTooFar <= kUnreached.
template <typename Weight>
struct SumsOf;

/// As unsigned numbers, of which int32 has those below kTooFar; kUnreached is its -1.
template <>
struct SumsOf<int32_t> {
  using Distance = uint32_t;
  static constexpr Distance kTooFar = Distance{1} << 31;
  static constexpr Distance kUnreached = ~Distance{0};

  static Distance Add(Distance distance, int32_t weight) {
    return std::min(distance + static_cast<Distance>(weight), kTooFar);
  }
  static Distance Delta(double delta) {
    return static_cast<Distance>(std::clamp<double>(delta, 1, kTooFar));
  }
  static uint64_t Bucket(Distance distance, Distance delta) { return distance / delta; }
};

template <>
struct SumsOf<float> {
  using Distance = float;
  static constexpr Distance kTooFar = std::numeric_limits<float>::infinity();
  static constexpr Distance kUnreached = kTooFar;

  static Distance Add(Distance distance, float weight) { return distance + weight; }
  static Distance Delta(double delta) {
    return std::clamp(static_cast<float>(delta), std::numeric_limits<float>::min(),
                      std::numeric_limits<float>::max());
  }
  static uint64_t Bucket(Distance distance, Distance delta) {
    constexpr double kLast = uint64_t{1} << 62;
    return static_cast<uint64_t>(std::min(double{distance} / delta, kLast));
  }
};

template <typename Weight>
class DeltaStepping {
 public:
  DeltaStepping(Graph& graph, double delta)
      : graph_(graph),
        lists_(graph.Lists(Direction::kOut)),
        cache_(graph.cache(lists_)),
        delta_(Sums::Delta(delta)),
        column_(graph.vertices(), static_cast<Weight>(Sums::kUnreached)),
        distances_(reinterpret_cast<Distance*>(column_.data())),
        threads_(omp_get_max_threads()) {}

  absl::Status SearchFrom(VertexId source) {
    distances_[source] = 0;
    buckets_.OfThread(0).Push(0, source);
    while (buckets_.Next()) {
      FARGRAPH_RETURN_IF_ERROR(graph_.CheckCancelled());
      ForgetOldPlaces();
      FARGRAPH_RETURN_IF_ERROR(EmptyBucket());
      FARGRAPH_RETURN_IF_ERROR(CheckWeights());
    }
    return CheckDistances();
  }

  VertexArray<Weight> TakeDistances() { return std::move(column_); }

 private:
  using Sums = SumsOf<Weight>;
  using Distance = typename Sums::Distance;

  struct NegativeEdge {
    VertexId source;
    VertexId target;
    Weight weight;
  };
  struct alignas(64) Thread {
    std::vector<VertexId> batch;                ///< of the current bucket, to be fused
    std::vector<VertexId> others;               ///< of it, those whose lists are not at hand
    size_t walked = 0;                          ///< vertices whose lists it has looked for
    std::optional<NegativeEdge> negative_edge;  ///< that it has come across
  };

  static constexpr size_t kMostSerial = 64;  ///< vertices of a step that is not worth a barrier
  static constexpr size_t kMostFused = 1000;
  static constexpr VertexId kScannedPart =
      64;  ///< a step of more than one vertex in so many is scanned
  static constexpr VertexId kSortedPart = 1024;  ///< more than one in so many become bits

  /// A vertex whose distance has fallen waits in its old buckets too. When these take too much
  /// memory all vertices that wait are put into the right bucket once more, and into no other.
  void ForgetOldPlaces() {
    if (buckets_.waiting() <= graph_.vertices()) return;
    buckets_.Clear();
#pragma omp parallel
    {
      Buckets::Own& mine = buckets_.OfThread(omp_get_thread_num());
#pragma omp for schedule(static)
      for (VertexId v = 0; v < graph_.vertices(); ++v) {
        if (distances_[v] >= Sums::kTooFar) continue;
        const uint64_t bucket = Sums::Bucket(distances_[v], delta_);
        if (bucket >= buckets_.current()) mine.Push(bucket, v);
      }
    }
  }

  /// The steps of one bucket.
  absl::Status EmptyBucket() {
    uint64_t vertices = 0;
    std::vector<VertexId> frontier = buckets_.TakeCurrent();
    while (!frontier.empty()) {
      vertices += frontier.size();
      if (frontier.size() <= graph_.vertices() / kScannedPart) frontier = Walk(frontier);
      if (!frontier.empty()) FARGRAPH_RETURN_IF_ERROR(Scan(std::move(frontier)));
      frontier = buckets_.TakeCurrent();
    }
    graph_.EndIteration(vertices);
    return absl::OkStatus();
  }

  /// Relaxes the lists of the frontier that are at hand, and of what that adds to the bucket as
  /// long as it is little; returns the vertices whose lists are not.
  std::vector<VertexId> Walk(absl::Span<const VertexId> frontier) {
    const bool parallel = frontier.size() > kMostSerial;
    MemberBatches batches(frontier, parallel ? omp_get_max_threads() : 1);
#pragma omp parallel if (parallel)
    {
      Thread& mine = threads_[omp_get_thread_num()];
      Buckets::Own& buckets = buckets_.OfThread(omp_get_thread_num());
      for (auto batch = batches.Take(); !batch.empty(); batch = batches.Take()) {
        WalkLists(batch, mine, buckets);
      }
      std::vector<VertexId>& added = buckets_.Current(buckets);
      while (!added.empty() && added.size() < kMostFused) {
        mine.batch.swap(added);
        WalkLists(mine.batch, mine, buckets);
        mine.batch.clear();
      }
    }
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
    const auto relax = [&](VertexId v, absl::Span<const VertexId> neighbors,
                           absl::Span<const Weight> weights) {
      if (IsCurrent(v)) Relax(v, neighbors, weights, mine, buckets);
    };
    mine.walked += vertices.size();
    WalkLocalLists<Weight>(lists_, cache_, vertices, relax, mine.others);
  }

  /// Relaxes the lists of the frontier in the order in which they lie.
  absl::Status Scan(std::vector<VertexId> frontier) {
    const VertexSubset active = Subset(std::move(frontier));
    return ForEachWeightedList<Weight>(
        graph_, Direction::kOut, &active,
        [&](VertexId v, absl::Span<const VertexId> neighbors, absl::Span<const Weight> weights) {
          const int thread = omp_get_thread_num();
          Relax(v, neighbors, weights, threads_[thread], buckets_.OfThread(thread));
        });
  }

  /// Those of `vertices`, in which some may occur repeatedly, that still belong to the bucket.
  VertexSubset Subset(std::vector<VertexId> vertices) const {
    if (vertices.size() <= graph_.vertices() / kSortedPart) {
      std::erase_if(vertices, [&](VertexId v) { return !IsCurrent(v); });
      std::sort(vertices.begin(), vertices.end());
      vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
      return VertexSubset(graph_.vertices(), std::move(vertices));
    }
    Bitmap members(graph_.vertices());
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < vertices.size(); ++i) {
      if (IsCurrent(vertices[i])) members.Set(vertices[i]);
    }
    return VertexSubset(std::move(members));
  }

  /// False of a vertex that has since moved to an earlier bucket, whose turn is over.
  bool IsCurrent(VertexId v) const {
    return Sums::Bucket(DistanceOf(v), delta_) == buckets_.current();
  }
  Distance DistanceOf(VertexId v) const {
    return std::atomic_ref(distances_[v]).load(std::memory_order_relaxed);
  }

  void Relax(VertexId v, absl::Span<const VertexId> neighbors, absl::Span<const Weight> weights,
             Thread& mine, Buckets::Own& buckets) {
    const Distance distance = DistanceOf(v);
    for (size_t i = 0; i < neighbors.size(); ++i) {
      if (weights[i] < 0) {
        mine.negative_edge = {v, neighbors[i], weights[i]};
        return;
      }
      const Distance through_v = Sums::Add(distance, weights[i]);
      const Distance before = Lower(neighbors[i], through_v);
      if (before <= through_v || through_v == Sums::kTooFar) continue;
      const uint64_t bucket = Sums::Bucket(through_v, delta_);
      if (!WaitsIn(bucket, before)) buckets.Push(bucket, neighbors[i]);
    }
  }

  /// True of a later bucket into which the distance `before` has put a vertex.
  bool WaitsIn(uint64_t bucket, Distance before) const {
    return bucket != buckets_.current() && before < Sums::kTooFar &&
           bucket == Sums::Bucket(before, delta_);
  }

  /// Takes the distance if it is shorter than the one so far, and returns that.
  Distance Lower(VertexId v, Distance distance) {
    std::atomic_ref shortest(distances_[v]);
    Distance before = shortest.load(std::memory_order_relaxed);
    while (distance < before &&
           !shortest.compare_exchange_weak(before, distance, std::memory_order_relaxed)) {
    }
    return before;
  }

  absl::Status CheckWeights() const {
    for (const Thread& thread : threads_) {
      if (!thread.negative_edge) continue;
      const auto& [source, target, weight] = *thread.negative_edge;
      FARGRAPH_ASSIGN_OR_RETURN(const uint64_t source_id, graph_.InputId(source));
      FARGRAPH_ASSIGN_OR_RETURN(const uint64_t target_id, graph_.InputId(target));
      return absl::InvalidArgumentError(absl::StrCat(
          "sssp cannot use negative weights, and the edge from ", source_id, " to ", target_id,
          " has weight ", weight, "; convert the graph again with weights from 0 up"));
    }
    return absl::OkStatus();
  }

  absl::Status CheckDistances() const {
    if constexpr (Sums::kTooFar < Sums::kUnreached) {
      if (std::find(distances_, distances_ + graph_.vertices(), Sums::kTooFar) !=
          distances_ + graph_.vertices()) {
        return absl::InvalidArgumentError(
            "sssp cannot hold a distance of 2^31 or more, to which the weights add up; convert the "
            "graph again with smaller weights, or with a decimal point in one to have float "
            "weights");
      }
    }
    return absl::OkStatus();
  }

  Graph& graph_;
  const EdgeLists& lists_;
  ListCache* const cache_;  ///< of them; nullptr where there is none
  const Distance delta_;
  VertexArray<Weight> column_;
  Distance* const distances_;  ///< the column, as what it is compared as
  Buckets buckets_;
  std::vector<Thread> threads_;
};

/// Eight times the mean weight over the mean degree, of about a thousand lists.
template <typename Weight>
absl::StatusOr<double> ChooseDelta(Graph& graph) {
  constexpr double kNeighborsInReach = 8;
  constexpr VertexId kSample = 1024;
  std::vector<VertexId> sample;
  for (VertexId v = 0; v < graph.vertices(); v += 1 + graph.vertices() / kSample) {
    sample.push_back(v);
  }
  const VertexSubset lists(graph.vertices(), std::move(sample));
  std::atomic<double> sum = 0;
  std::atomic<uint64_t> count = 0;
  const auto add = [&](VertexId, absl::Span<const VertexId>, absl::Span<const Weight> weights) {
    double of_list = 0;
    for (const Weight weight : weights) of_list += std::max(0.0, static_cast<double>(weight));
    sum.fetch_add(of_list, std::memory_order_relaxed);
    count.fetch_add(weights.size(), std::memory_order_relaxed);
  };
  FARGRAPH_RETURN_IF_ERROR(ForEachWeightedList<Weight>(graph, Direction::kOut, &lists, add));
  const double mean_weight = sum / static_cast<double>(std::max<uint64_t>(count, 1));
  const double edges = static_cast<double>(graph.Lists(Direction::kOut).edges());
  return kNeighborsInReach * mean_weight * graph.vertices() / std::max(edges, 1.0);
}

template <typename Weight>
absl::StatusOr<KernelResult> Search(Graph& graph, const KernelOptions& options) {
  double delta;
  if (options.delta) {
    delta = *options.delta;
  } else {
    FARGRAPH_ASSIGN_OR_RETURN(delta, ChooseDelta<Weight>(graph));
  }
  const VertexId source = options.source.value_or(graph.Lists(Direction::kOut).largest());
  DeltaStepping<Weight> search(graph, delta);
  FARGRAPH_RETURN_IF_ERROR(search.SearchFrom(source));
  KernelResult result;
  FARGRAPH_ASSIGN_OR_RETURN(result.answer["source"], graph.InputId(source));
  result.columns.push_back({"distance", search.TakeDistances()});
  return result;
}

/// Sum is int64_t or double.
template <typename Sum, typename Distance>
absl::Status SummarizeDistances(const Graph& graph, const VertexArray<Distance>& distances,
                                KernelResult& result) {
  uint64_t reached = 0;
  Sum sum = 0;
  VertexId farthest = kNoVertex;
  for (VertexId v = 0; v < distances.size(); ++v) {
    if (distances[v] < 0 || distances[v] > std::numeric_limits<Distance>::max()) continue;
    ++reached;
    sum += distances[v];
    if (farthest == kNoVertex || distances[v] > distances[farthest]) farthest = v;
  }
  result.answer["reached"] = reached;
  result.answer["max_distance"] = distances[farthest];
  FARGRAPH_ASSIGN_OR_RETURN(result.answer["farthest"], graph.InputId(farthest));
  result.answer["sum_distances"] = sum;
  return absl::OkStatus();
}

class Sssp : public Kernel {
 public:
  absl::string_view name() const override { return "sssp"; }
  absl::string_view summary() const override {
    return "single-source shortest paths from --source (the vertex with most out-edges), weighted";
  }
  ListUse out_lists() const override { return ListUse::kWeightedEdges; }
  ListUse in_lists() const override { return ListUse::kNone; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    constexpr uint64_t kEntriesPerVertex = 2;  // one waits, and what a turn may add
    return {VertexSegment<int32_t>("distance", graph.vertices, kRandomReadWrite),
            {.name = "buckets",
             .bytes = kEntriesPerVertex * graph.vertices * sizeof(VertexId),
             .behaviour = kSequentialReadWrite},
            VertexBits("frontier", graph.vertices)};
  }

  /// Most vertices relax their edges more than once.
  Effort EffortOn(const GraphManifest& graph, const KernelOptions&, bool) const override {
    const SearchDepth depth = RoughDepth(graph);
    return {.list_reads = 1.5,
            .parts = depth.wide,
            .edge_visits = 5,
            .vertex_visits = 8,
            .steps = SearchesAreDeep(graph) ? depth.levels : 5 * depth.levels};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    if (graph.vertices() == 0) {
      return absl::InvalidArgumentError("sssp has nowhere to start: the graph has no vertices");
    }
    return graph.weight_type() == WeightType::kFloat32 ? Search<float>(graph, options)
                                                       : Search<int32_t>(graph, options);
  }

  absl::Status Summarize(const Graph& graph, KernelResult& result) const override {
    const auto& values = result.columns[0].values;
    if (const auto* distances = std::get_if<VertexArray<float>>(&values))
      return SummarizeDistances<double>(graph, *distances, result);
    return SummarizeDistances<int64_t>(graph, std::get<VertexArray<int32_t>>(values), result);
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result) const override {
    return VerifySssp(files, options, result);
  }
};

FARGRAPH_REGISTER_KERNEL(Sssp);

}  // namespace
}  // namespace fargraph
