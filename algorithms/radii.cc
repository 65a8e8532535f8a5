/*
Radii estimation: for every vertex the largest distance from a sample of 64 vertices, along
out-edges. The largest of all is a lower bound of the diameter; on a symmetric graph each is a lower
bound of the vertex's eccentricity.

64 breadth-first searches run as one (multi_source_search.h); a vertex at which a search arrives at
some distance has at least that radius.

The sample is drawn uniformly without replacement by a generator with a fixed seed, so it depends on
the number of vertices alone; a graph of up to 64 vertices is its own sample, and all is exact.

Values: radius -1 where no search came.

Clemence Magnien, Matthieu Latapy, and Michel Habib. "Fast Computation of Empirically Tight Bounds
for the Diameter of Massive Graphs." ACM Journal of Experimental Algorithmics, 13:1.10, February
2009.
Julian Shun and Guy E. Blelloch. "Ligra: A Lightweight Graph Processing Framework for Shared
Memory." ACM SIGPLAN Symposium on Principles and Practice of Parallel Programming (PPoPP), Shenzhen,
China, February 2013.
*/

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/building_blocks/multi_source_search.h"
#include "algorithms/building_blocks/name_vertices.h"
#include "algorithms/building_blocks/vertex_sample.h"
#include "algorithms/verification/radii_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/kernel_registry.h"

namespace fargraph {
namespace {

constexpr size_t kRadiiSamples = MultiSourceSearch::kMostSources;

int32_t LargestRadius(const VertexArray<int32_t>& radius) {
  int32_t largest = 0;
#pragma omp parallel for reduction(max : largest) schedule(static)
  for (size_t v = 0; v < radius.size(); ++v) largest = std::max(largest, radius[v]);
  return largest;
}

class RadiiKernel : public Kernel {
 public:
  absl::string_view name() const override { return "radii"; }
  absl::string_view summary() const override {
    return "radii estimation: the largest distance of each vertex from 64 sampled vertices";
  }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdgesIfStored; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    std::vector<DataSegment> segments = MultiSourceSearch::Segments(graph.vertices);
    segments.push_back(VertexSegment<int32_t>("radius", graph.vertices, kRandomReadWrite));
    return segments;
  }

  Effort EffortOn(const GraphManifest& graph, const KernelOptions&,
                  const ListTraits& lists) const override {
    return MultiSourceSearch::EffortOf(graph, lists, kRadiiSamples);
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions&) const override {
    const std::vector<VertexId> samples = SampleVertices(graph.vertices(), kRadiiSamples);
    VertexArray<int32_t> radius(graph.vertices(), -1);
    const auto arrive = [&](VertexId v, MultiSourceSearch::Searches, int32_t distance) {
      radius[v] = distance;
    };
    FARGRAPH_RETURN_IF_ERROR(MultiSourceSearch(graph).Run(samples, arrive).status());

    KernelResult result;
    result.columns.push_back({"radius", std::move(radius)});
    return result;
  }

  absl::Status Summarize(const Graph& graph, KernelResult& result) const override {
    const std::vector<VertexId> samples = SampleVertices(graph.vertices(), kRadiiSamples);
    FARGRAPH_ASSIGN_OR_RETURN(result.answer["samples"], NameVertices(graph, samples));
    result.answer["estimate"] =
        LargestRadius(std::get<VertexArray<int32_t>>(result.columns[0].values));
    return absl::OkStatus();
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions&,
                      const KernelResult& result) const override {
    return VerifyRadii(files, result);
  }
};

FARGRAPH_REGISTER_KERNEL(RadiiKernel);

}  // namespace
}  // namespace fargraph
