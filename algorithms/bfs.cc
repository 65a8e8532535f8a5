/*
Breadth-first search: the level of every vertex that is reached from a source along out-edges, and
its parent in a search tree.

A search is a sequence of edge maps, one per level, each from the frontier of one level to that of
the next. It optimises direction: a small frontier pushes along its out-edges; towards a large one
the vertices that are not reached yet pull along their in-edges, each until it finds a parent in the
frontier. Far fewer edges are read this way, since most edges of a large frontier lead to vertices
that are reached already. A graph without in-edges always pushes.

Of all in-neighbours one level up, the parent is the smallest, whichever way the level went: a push
keeps the minimum, a pull meets the neighbours of a list in ascending order. So the tree, too, is
the same on every placement and for any number of threads.

Values: level -1 and parent kNoVertex where the search did not come; the source is its own parent.

Scott Beamer, Krste Asanovic, and David Patterson. "Direction-Optimizing Breadth-First Search."
International Conference on High Performance Computing, Networking, Storage and Analysis (SC),
Salt Lake City, Utah, November 2012.
*/

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/building_blocks/count_by_value.h"
#include "algorithms/building_blocks/search_source.h"
#include "algorithms/verification/bfs_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/edge_map.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/vertex_map.h"
#include "graph/bitmap.h"

namespace fargraph {
namespace {

/// Takes an edge from the frontier to a vertex that is not on an earlier level. Of the sources that
/// reach it in one step the smallest becomes its parent.
struct BfsStep {
  VertexArray<VertexId>& parents;
  const Bitmap& visited;  ///< before this step; most edges lead there, and bits fit into the cache

  bool IsOpen(VertexId target) const { return !visited.TestUnshared(target); }

  void Prefetch(VertexId target) const { __builtin_prefetch(&parents[target], 1); }

  bool Cond(VertexId target) const { return parents[target] == kNoVertex; }

  bool Update(VertexId source, VertexId target) {
    VertexId& parent = parents[target];
    const bool is_new = parent == kNoVertex;
    parent = std::min(parent, source);
    return is_new;
  }

  bool UpdateAtomic(VertexId source, VertexId target) {
    std::atomic_ref parent(parents[target]);
    VertexId smallest = parent.load(std::memory_order_relaxed);
    while (source < smallest) {
      if (parent.compare_exchange_weak(smallest, source, std::memory_order_relaxed))
        return smallest == kNoVertex;
    }
    return false;
  }
};

struct SearchTree {
  explicit SearchTree(VertexId vertices) : levels(vertices, -1), parents(vertices, kNoVertex) {}

  VertexArray<int32_t> levels;
  VertexArray<VertexId> parents;
};

absl::StatusOr<SearchTree> SearchFrom(VertexId source, Graph& graph) {
  SearchTree tree(graph.vertices());
  tree.parents[source] = source;
  Bitmap visited(graph.vertices());
  EdgeMap edge_map(graph);
  BfsStep step{tree.parents, visited};
  VertexSubset frontier = VertexSubset::Single(graph.vertices(), source);
  for (int32_t level = 0; !frontier.empty(); ++level) {
    VertexMap(frontier, [&](VertexId v) { tree.levels[v] = level; });
    Include(frontier, visited);
    FARGRAPH_ASSIGN_OR_RETURN(VertexSubset next, edge_map(frontier, step));
    graph.EndIteration(frontier.size());
    frontier = std::move(next);
  }
  return tree;
}

class Bfs : public Kernel {
 public:
  absl::string_view name() const override { return "bfs"; }
  absl::string_view summary() const override {
    return "breadth-first search from --source (the vertex with most out-edges): level and parent";
  }
  std::vector<absl::string_view> takes() const override { return {"source"}; }
  bool names_vertices() const override { return true; }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdgesIfStored; }

  uint64_t in_heads() const override { return kMaxHeads; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    return {VertexSegment<int32_t>("level", graph.vertices, kRandomReadWrite),
            VertexSegment<VertexId>("parent", graph.vertices, kRandomReadWrite),
            VertexBits("visited", graph.vertices),
            VertexBits("frontier", graph.vertices),
            NextFrontier::Segment(graph.vertices),
            VertexBits("pull_targets", graph.vertices)};
  }

  /// Heads find a parent for nearly all vertices. Those for which they do not are anywhere, unless
  /// hubs come first, which are the first neighbours of most.
  Effort EffortOn(const GraphManifest& graph, const KernelOptions&,
                  const ListTraits& lists) const override {
    const SearchDepth depth = RoughDepth(graph, lists.kind);
    const bool heads = lists.have_heads;
    const double reads = lists.Of(
        {.deep = 1, .clustered = 1, .hubs = heads ? 0.04 : 0.3, .scattered = heads ? 0.17 : 0.7});
    const double parts =
        lists.Of({.deep = 0.6, .clustered = 0.45, .hubs = reads, .scattered = 0.4});
    return {.list_reads = reads,
            .parts = parts * depth.parts,
            .edge_visits = heads ? 0.0 : 0.2,
            .random_visits = heads ? 0.0 : 0.2,
            .vertex_visits = lists.Of({.deep = 29, .clustered = 65, .hubs = 26, .scattered = 44}),
            .steps = depth.levels};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    FARGRAPH_ASSIGN_OR_RETURN(const VertexId source, SourceOf(graph, options, name()));
    FARGRAPH_ASSIGN_OR_RETURN(SearchTree tree, SearchFrom(source, graph));
    KernelResult result;
    result.columns.push_back({"level", std::move(tree.levels)});
    result.columns.push_back({"parent", std::move(tree.parents)});
    return result;
  }

  absl::Status Summarize(const Graph& graph, KernelResult& result) const override {
    const auto& levels = std::get<VertexArray<int32_t>>(result.columns[0].values);
    const VertexId source = std::find(levels.begin(), levels.end(), 0) - levels.begin();
    const std::vector<uint64_t> level_histogram = CountByValue(levels);
    FARGRAPH_ASSIGN_OR_RETURN(result.answer["source"], graph.InputId(source));
    result.answer["reached"] =
        std::accumulate(level_histogram.begin(), level_histogram.end(), uint64_t{0});
    result.answer["levels"] = level_histogram.size();
    result.answer["level_histogram"] = level_histogram;
    return absl::OkStatus();
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result) const override {
    return VerifyBfs(files, options, result);
  }
};

FARGRAPH_REGISTER_KERNEL(Bfs);

}  // namespace
}  // namespace fargraph
