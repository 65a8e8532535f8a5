/*
Weakly connected components: the sets of vertices that edges join, taken in either sense.

Edges merge the sets of their two ends in a lock-free union-find forest, and a last pass hangs every
vertex directly under its root.

Most edges are never read (Afforest, afforest.h). Each walk over lists is an iteration.

Values: the component of a vertex is the smallest vertex in it, the same on every placement and for
any number of threads.
*/

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/building_blocks/afforest.h"
#include "algorithms/building_blocks/component_count.h"
#include "algorithms/building_blocks/component_labels.h"
#include "algorithms/building_blocks/union_find.h"
#include "algorithms/verification/wcc_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/kernel_registry.h"

namespace fargraph {
namespace {

/// The roots below which vertices are counted at a time: for a part of them takes less memory, and
/// for as many as there are it is there already where vertices have been renumbered.
VertexId CountedAtATime(uint64_t vertices, bool renumbered) {
  constexpr VertexId kParts = 4;
  return static_cast<VertexId>(renumbered ? vertices : (vertices + kParts - 1) / kParts);
}

class Wcc : public Kernel {
 public:
  absl::string_view name() const override { return "wcc"; }
  absl::string_view summary() const override {
    return "weakly connected components: the smallest vertex of each vertex's component";
  }
  bool names_vertices() const override { return true; }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdgesIfStored; }

  uint64_t out_heads() const override { return kJoinedHeads; }
  Walks walks() const override { return Walks::kParts; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    const bool renumbered = graph.order != VertexOrder::kInput;
    const uint64_t counted = CountedAtATime(graph.vertices, renumbered);
    return {VertexSegment<VertexId>("parent", graph.vertices, kRandomReadWrite),
            VertexSegment<VertexId>("below_root", counted, kRandomReadWrite),
            VertexBits("outside_largest", graph.vertices)};
  }

  Effort EffortOn(const GraphManifest& graph, const KernelOptions&,
                  const ListTraits& lists) const override {
    const double out_lists = graph.has_reverse ? 0.5 : 1;  // of all
    const double read = PartOfOutLists(graph, lists.have_heads);
    const double joins = graph.symmetric ? read / 2 : read;
    const double looks = 3 / std::max(MeanDegree(graph), 1.0);  // of a vertex, at parents
    return {.list_reads = out_lists * read,
            .parts = (read < 1 ? 2 : 1) * out_lists * read,  // a sample, and who is outside
            .edge_visits = joins,
            .random_visits = joins + looks,
            .vertex_visits = lists.Of({.deep = 24, .clustered = 26, .hubs = 20, .scattered = 26}),
            .steps = 10};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions&) const override {
    UnionFind forest(graph.vertices());
    if (graph.vertices() > 0) FARGRAPH_RETURN_IF_ERROR(JoinNeighbors(graph, forest));
    forest.Flatten();
    KernelResult result;
    result.columns.push_back({"component", std::move(forest).TakeParents()});
    return result;
  }

  absl::Status Summarize(const Graph& graph, KernelResult& result) const override {
    auto& components = std::get<VertexArray<VertexId>>(result.columns[0].values);
    FARGRAPH_RETURN_IF_ERROR(LabelBySmallestId(graph.names(), components));
    const bool renumbered = !graph.names().ascending();
    const ComponentCount count =
        CountComponents(components, CountedAtATime(components.size(), renumbered));
    result.answer["components"] = count.components;
    result.answer["largest"] = count.largest;
    if (count.components > 0) {
      FARGRAPH_ASSIGN_OR_RETURN(result.answer["largest_id"], graph.InputId(count.largest_root));
    }
    return absl::OkStatus();
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions&,
                      const KernelResult& result) const override {
    return VerifyWcc(files, result);
  }
};

FARGRAPH_REGISTER_KERNEL(Wcc);

}  // namespace
}  // namespace fargraph
