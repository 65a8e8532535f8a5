/*
Core numbers: the largest k for which a vertex belongs to the k-core, the largest subgraph in which
every vertex has at least k neighbours.

By peeling (peeling.h).

An edge counts at both its ends, whichever way it points; one that is there several times counts so
often, and self-loops do not count.

Values: the core number of a vertex without neighbours is 0.
*/

#include <utility>
#include <vector>

#include "algorithms/building_blocks/both_ends.h"
#include "algorithms/building_blocks/count_by_value.h"
#include "algorithms/building_blocks/peeling.h"
#include "algorithms/verification/kcore_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/kernel_registry.h"

namespace fargraph {
namespace {

class KCore : public Kernel {
 public:
  absl::string_view name() const override { return "kcore"; }
  absl::string_view summary() const override {
    return "k-cores: the core number of each vertex, whichever way edges point";
  }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdges; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    return PeelingSegments(graph.vertices);
  }

  /// A list is read when its vertex goes, with a few others; what goes in many steps are hubs.
  /// Cores are some times as deep as the mean degree, and each takes a few steps.
  Effort EffortOn(const GraphManifest& graph, const KernelOptions&,
                  const ListTraits& lists) const override {
    const double directions = Directions(graph);
    const double hubs = lists.far_ratio < 1 ? 2 : 8;
    const double steps = lists.Of({.deep = 7, .clustered = 27, .hubs = 20, .scattered = 2});
    return {.list_reads = 0.9,
            .parts = lists.Of({.deep = 4.5, .clustered = 6, .hubs = hubs, .scattered = 14}),
            .edge_visits = 7 * directions,
            .random_visits = 1.45 * directions,
            .vertex_visits = lists.kind == GraphKind::kDeep ? 36 : 42.,
            .steps = steps * MeanDegree(graph)};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions&) const override {
    FARGRAPH_ASSIGN_OR_RETURN(VertexArray<int32_t> cores, PeelCores(graph));
    KernelResult result;
    result.columns.push_back({"core", std::move(cores)});
    return result;
  }

  absl::Status Summarize(const Graph&, KernelResult& result) const override {
    const std::vector<uint64_t> core_histogram =
        CountByValue(std::get<VertexArray<int32_t>>(result.columns[0].values));
    result.answer["max_core"] = core_histogram.empty() ? 0 : core_histogram.size() - 1;
    result.answer["core_histogram"] = core_histogram;
    return absl::OkStatus();
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions&,
                      const KernelResult& result) const override {
    return VerifyKCore(files, result);
  }
};

FARGRAPH_REGISTER_KERNEL(KCore);

}  // namespace
}  // namespace fargraph
