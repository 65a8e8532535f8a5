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
A bucket of many vertices is a bitmap, and those behind it are not there at all until its turn ends
and a pass over the distances finds the next one.

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

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/building_blocks/delta_stepping.h"
#include "algorithms/building_blocks/search_source.h"
#include "algorithms/verification/sssp_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/kernel_registry.h"

namespace fargraph {
namespace {

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
  const auto add = [&](VertexId, absl::Span<const VertexId>, auto weights) {
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
absl::StatusOr<KernelResult> Search(Graph& graph, const KernelOptions& options, VertexId source) {
  double delta;
  if (options.delta) {
    delta = *options.delta;
  } else {
    FARGRAPH_ASSIGN_OR_RETURN(delta, ChooseDelta<Weight>(graph));
  }
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
  std::vector<absl::string_view> takes() const override { return {"source", "delta"}; }
  ListUse out_lists() const override { return ListUse::kWeightedEdges; }
  ListUse in_lists() const override { return ListUse::kNone; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    return {VertexSegment<int32_t>("distance", graph.vertices, kRandomReadWrite),
            DeltaStepping<int32_t>::BucketsSegment(graph.vertices),
            VertexBits("frontier", graph.vertices), VertexBits("next_frontier", graph.vertices)};
  }

  /// Most vertices relax their edges more than once. What a bucket wants lies all over the graph,
  /// unless hubs come first, or the search goes along a plane.
  Effort EffortOn(const GraphManifest& graph, const KernelOptions&,
                  const ListTraits& lists) const override {
    const SearchDepth depth = RoughDepth(graph, lists.kind);
    const double parts = lists.Of({.deep = 1.7, .clustered = 2.3, .hubs = 1.7, .scattered = 3});
    const double steps = lists.Of({.deep = 0.5, .clustered = 6, .hubs = 2.5, .scattered = 5});
    return {.list_reads = lists.Of({.deep = 1.7, .clustered = 1.7, .hubs = 1.7, .scattered = 1.2}),
            .parts = parts * depth.parts,
            .edge_visits = 4.6,
            .random_visits = 2.25,
            .vertex_visits = 72,
            .steps = steps * depth.levels};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    FARGRAPH_ASSIGN_OR_RETURN(const VertexId source, SourceOf(graph, options, name()));
    return graph.weight_type() == WeightType::kFloat32 ? Search<float>(graph, options, source)
                                                       : Search<int32_t>(graph, options, source);
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
