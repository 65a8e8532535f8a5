/*
Betweenness centrality: the share of the shortest paths from a source to another vertex that lead
through a vertex, summed over all those other vertices and over the sources. The source is one
vertex, or a sample of them is drawn; with every vertex as a source the scores are those of the
standard definition, in which an undirected graph's pairs count in both directions.

By Brandes' algorithm (brandes.h).

Values: scores are plain sums, not normalised; the source itself gets none from its own paths.
Parallel edges are paths of their own. The same on every placement and for any number of threads.
*/

#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/building_blocks/brandes.h"
#include "algorithms/building_blocks/name_vertices.h"
#include "algorithms/building_blocks/search_source.h"
#include "algorithms/building_blocks/top10.h"
#include "algorithms/building_blocks/vertex_sample.h"
#include "algorithms/verification/bc_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/kernel_registry.h"

namespace fargraph {
namespace {

absl::StatusOr<std::vector<VertexId>> SourcesOfBc(const Graph& graph,
                                                  const KernelOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(const VertexId source, SourceOf(graph, options, "bc"));
  if (options.sources) return SampleVertices(graph.vertices(), *options.sources);
  return std::vector<VertexId>{source};
}

class BetweennessCentrality : public Kernel {
 public:
  absl::string_view name() const override { return "bc"; }
  absl::string_view summary() const override {
    return "betweenness centrality: shortest paths from --source, or a sample of --sources, "
           "through each vertex";
  }
  std::vector<absl::string_view> takes() const override { return {"source", "sources"}; }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdges; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    return BrandesSegments(graph);
  }

  /// Of a source the way out and the way back.
  Effort EffortOn(const GraphManifest& graph, const KernelOptions& options,
                  const ListTraits& lists) const override {
    const SearchDepth depth = RoughDepth(graph, lists.kind);
    return static_cast<double>(SourceCount(options)) *
           Effort{
               .list_reads = lists.Of({.deep = 2, .clustered = 2.6, .hubs = 1.3, .scattered = 1.7}),
               .parts = depth.parts,
               .edge_visits = 2,
               .random_visits = lists.kind == GraphKind::kScattered ? 1.4 : 1.8,
               .vertex_visits =
                   lists.Of({.deep = 60, .clustered = 130, .hubs = 90, .scattered = 90}),
               .steps = lists.Of({.deep = 2, .clustered = 1.5, .hubs = 1, .scattered = 1}) *
                        depth.levels};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    FARGRAPH_ASSIGN_OR_RETURN(const std::vector<VertexId> sources, SourcesOfBc(graph, options));
    FARGRAPH_ASSIGN_OR_RETURN(VertexArray<double> scores, SumDependencies(graph, sources));
    KernelResult result;
    FARGRAPH_ASSIGN_OR_RETURN(result.answer["sources"], NameVertices(graph, sources));
    result.columns.push_back({"score", std::move(scores)});
    return result;
  }

  absl::Status Summarize(const Graph& graph, KernelResult& result) const override {
    const auto& scores = std::get<VertexArray<double>>(result.columns[0].values);
    result.answer["sum"] = std::accumulate(scores.begin(), scores.end(), 0.0);
    FARGRAPH_ASSIGN_OR_RETURN(result.answer["top10"], Top10(graph, scores));
    return absl::OkStatus();
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result) const override {
    return VerifyBc(files, options, result);
  }
};

FARGRAPH_REGISTER_KERNEL(BetweennessCentrality);

}  // namespace
}  // namespace fargraph
