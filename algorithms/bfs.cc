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

#include <atomic>
#include <utility>
#include <vector>

#include "algorithms/bfs_verifier.h"
#include "common/bitmap.h"
#include "common/status_macros.h"
#include "compute_node/engine/edge_map.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/vertex_map.h"

namespace fargraph {
namespace {

/// The vertex with most out-edges, the smallest of equals.
VertexId LargestOutDegree(const Graph& graph) {
  VertexId largest = 0;
#pragma omp parallel
  {
    VertexId mine = 0;
#pragma omp for schedule(static) nowait
    for (VertexId v = 0; v < graph.vertices(); ++v) {
      if (graph.OutDegree(v) > graph.OutDegree(mine)) mine = v;
    }
#pragma omp critical
    {
      const EdgeOffset degree = graph.OutDegree(mine);
      const EdgeOffset most = graph.OutDegree(largest);
      if (degree > most || (degree == most && mine < largest)) largest = mine;
    }
  }
  return largest;
}

struct Search {
  explicit Search(VertexId vertices)
      : levels(vertices, -1), parents(vertices, kNoVertex), reached(vertices) {}

  std::vector<int32_t> levels;
  std::vector<VertexId> parents;
  Bitmap reached;
};

/// Takes an edge from the frontier to a vertex that no earlier level has reached. A push marks what
/// it reached only when all its edges have been taken, so that the smallest parent wins.
struct BfsStep {
  Search& search;

  bool Cond(VertexId target) const { return !search.reached.Test(target); }

  bool Update(VertexId source, VertexId target) {
    search.parents[target] = source;
    return search.reached.Set(target);
  }

  bool UpdateAtomic(VertexId source, VertexId target) {
    std::atomic_ref<VertexId> parent(search.parents[target]);
    VertexId smallest = parent.load(std::memory_order_relaxed);
    while (source < smallest &&
           !parent.compare_exchange_weak(smallest, source, std::memory_order_relaxed)) {
    }
    return true;
  }
};

void SettleLevel(const VertexSubset& frontier, int32_t level, Search& search) {
  VertexMap(frontier, [&](VertexId v) {
    search.levels[v] = level;
    search.reached.Set(v);
  });
}

/// Fills `search`; returns the number of vertices on each level.
absl::StatusOr<std::vector<uint64_t>> SearchFrom(VertexId source, Graph& graph, Search& search) {
  std::vector<uint64_t> level_histogram;
  BfsStep step{search};
  search.parents[source] = source;
  VertexSubset frontier = VertexSubset::Single(graph.vertices(), source);
  while (!frontier.empty()) {
    SettleLevel(frontier, static_cast<int32_t>(level_histogram.size()), search);
    level_histogram.push_back(frontier.size());
    FARGRAPH_ASSIGN_OR_RETURN(VertexSubset next, EdgeMap(graph, frontier, step));
    graph.EndIteration(frontier.size());
    frontier = std::move(next);
  }
  return level_histogram;
}

class Bfs : public Kernel {
 public:
  absl::string_view name() const override { return "bfs"; }
  absl::string_view summary() const override {
    return "breadth-first search from --source (the vertex with most out-edges): level and parent";
  }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdgesIfStored; }

  std::vector<DataSegment> Segments(const GraphManifest& graph) const override {
    return {VertexArray<int32_t>("level", graph.vertices, kRandomReadWrite),
            VertexArray<VertexId>("parent", graph.vertices, kRandomReadWrite),
            VertexBits("reached", graph.vertices),
            VertexBits("frontier", graph.vertices),
            VertexBits("next_frontier", graph.vertices),
            VertexBits("pull_targets", graph.vertices)};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    if (graph.vertices() == 0) {
      return absl::InvalidArgumentError("bfs has nowhere to start: the graph has no vertices");
    }
    const VertexId source = options.source ? *options.source : LargestOutDegree(graph);
    Search search(graph.vertices());
    FARGRAPH_ASSIGN_OR_RETURN(const std::vector<uint64_t> level_histogram,
                              SearchFrom(source, graph, search));

    uint64_t reached = 0;
    for (const uint64_t count : level_histogram) reached += count;
    KernelResult result;
    result.answer["source"] = graph.InputId(source);
    result.answer["reached"] = reached;
    result.answer["levels"] = level_histogram.size();
    result.answer["level_histogram"] = level_histogram;
    result.columns.push_back({"level", std::move(search.levels)});
    result.columns.push_back({"parent", std::move(search.parents)});
    return result;
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result) const override {
    return VerifyBfs(files, options, result);
  }
};

FARGRAPH_REGISTER_KERNEL(Bfs);

}  // namespace
}  // namespace fargraph
