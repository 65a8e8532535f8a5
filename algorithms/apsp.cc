/*
All-pairs shortest paths, by hops, from a sample of the vertices: for every vertex how many of the
sources reach it along out-edges, and the sum of their distances to it. With every vertex as a
source these are the two numbers of which closeness centrality is made (here that of arriving); with
a sample they estimate it. The distances from one source are those of bfs.

As in Graphene, breadth-first searches run together, so that a list is read once for all of those
that come by at the same distance: 64 at a time (multi_source_search.h). A search that arrives at a
vertex adds its distance there, so no distances are stored, and memory does not grow with the
sources.

The sample is drawn uniformly without replacement by a generator with a fixed seed: 32 vertices, as
in the paper, or as many as --sources says; of fewer vertices all. All numbers are whole, and the
same on every placement and for any number of threads.

Hang Liu and H. Howie Huang. "Graphene: Fine-Grained IO Management for Graph Computing." USENIX
Conference on File and Storage Technologies (FAST), Santa Clara, California, February 2017.
David Eppstein and Joseph Wang. "Fast Approximation of Centrality." Journal of Graph Algorithms and
Applications, 8(1):39-45, 2004.
*/

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "algorithms/building_blocks/multi_source_search.h"
#include "algorithms/building_blocks/name_vertices.h"
#include "algorithms/building_blocks/vertex_sample.h"
#include "algorithms/verification/apsp_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/kernel_registry.h"

namespace fargraph {
namespace {

constexpr uint64_t kDefaultSources = 32;

std::vector<VertexId> SourcesOfApsp(const Graph& graph, const KernelOptions& options) {
  if (options.source) return {*options.source};
  return SampleVertices(graph.vertices(), options.sources.value_or(kDefaultSources));
}

struct Distances {
  explicit Distances(VertexId vertices) : reached_from(vertices), sum(vertices) {}

  VertexArray<int32_t> reached_from;
  VertexArray<double> sum;  ///< whole numbers, which are exact up to 2^53
  int32_t largest = 0;
};

absl::Status SearchFromAll(Graph& graph, absl::Span<const VertexId> sources, Distances& distances) {
  MultiSourceSearch search(graph);
  const auto arrive = [&](VertexId v, MultiSourceSearch::Searches arrived, int32_t distance) {
    const int count = std::popcount(arrived);
    distances.reached_from[v] += count;
    distances.sum[v] += static_cast<double>(count) * distance;
  };
  for (size_t begin = 0; begin < sources.size(); begin += MultiSourceSearch::kMostSources) {
    FARGRAPH_ASSIGN_OR_RETURN(
        const int32_t largest,
        search.Run(sources.subspan(begin, MultiSourceSearch::kMostSources), arrive));
    distances.largest = std::max(distances.largest, largest);
  }
  return absl::OkStatus();
}

class AllPairsShortestPaths : public Kernel {
 public:
  absl::string_view name() const override { return "apsp"; }
  absl::string_view summary() const override {
    return "all-pairs shortest paths from --sources (32) sampled vertices: sum of distances";
  }
  std::vector<absl::string_view> takes() const override { return {"source", "sources"}; }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdgesIfStored; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    std::vector<DataSegment> segments = MultiSourceSearch::Segments(graph.vertices);
    segments.push_back(VertexSegment<int32_t>("reached_from", graph.vertices, kRandomReadWrite));
    segments.push_back(VertexSegment<double>("sum_distances", graph.vertices, kRandomReadWrite));
    return segments;
  }

  uint64_t SourceCount(const KernelOptions& options) const override {
    return options.source ? 1 : options.sources.value_or(kDefaultSources);
  }

  Effort EffortOn(const GraphManifest& graph, const KernelOptions& options,
                  const ListTraits& lists) const override {
    const uint64_t sources = std::min(SourceCount(options), graph.vertices);
    const uint64_t together = std::min<uint64_t>(sources, MultiSourceSearch::kMostSources);
    const double runs = std::ceil(static_cast<double>(sources) / MultiSourceSearch::kMostSources);
    return runs * MultiSourceSearch::EffortOf(graph, lists, together);
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    const std::vector<VertexId> sources = SourcesOfApsp(graph, options);
    Distances distances(graph.vertices());
    FARGRAPH_RETURN_IF_ERROR(SearchFromAll(graph, sources, distances));

    KernelResult result;
    result.answer["sources"] = sources;
    result.answer["max_distance"] = distances.largest;
    result.columns.push_back({"reached_from", std::move(distances.reached_from)});
    result.columns.push_back({"sum_distances", std::move(distances.sum)});
    return result;
  }

  absl::Status Summarize(const Graph& graph, KernelResult& result) const override {
    const auto sources = result.answer["sources"].get<std::vector<VertexId>>();
    FARGRAPH_ASSIGN_OR_RETURN(result.answer["sources"], NameVertices(graph, sources));
    uint64_t pairs = 0;
    for (const int32_t count : std::get<VertexArray<int32_t>>(result.columns[0].values)) {
      pairs += count;
    }
    double sum = 0;
    for (const double distances : std::get<VertexArray<double>>(result.columns[1].values)) {
      sum += distances;
    }
    result.answer["pairs"] = pairs;
    result.answer["sum_distances"] = sum;
    return absl::OkStatus();
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result) const override {
    return VerifyApsp(files, options, result);
  }
};

FARGRAPH_REGISTER_KERNEL(AllPairsShortestPaths);

}  // namespace
}  // namespace fargraph
