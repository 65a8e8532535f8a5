/*
Weakly connected components: the sets of vertices that edges join, taken in either sense.

One scan over all edges merges the sets of their two ends in a lock-free union-find forest. Only the
out-edges are read: each edge is among them once, and a union has no direction. A root is hooked
under a smaller one by compare-and-swap and nothing else ever writes to a root, so parents are never
larger than their children and any number of threads may join and search at once. Searches halve
the paths they walk, and a last pass hangs every vertex directly under its root.

Values: the component of a vertex is the smallest vertex in it, the same on every placement and for
any number of threads.

Siddhartha V. Jayanti and Robert E. Tarjan. "A Randomized Concurrent Algorithm for Disjoint Set
Union." ACM Symposium on Principles of Distributed Computing (PODC), Chicago, Illinois, July 2016.
(Here the order of the vertices is that of their numbers, which makes the smallest the root.)
*/

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "algorithms/wcc_verifier.h"
#include "common/status_macros.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/list_scan.h"
#include "compute_node/engine/vertex_map.h"

namespace fargraph {
namespace {

/// The union-find forest: roots are their own parents.
using Forest = std::vector<VertexId>;

VertexId Parent(Forest& parents, VertexId v) {
  return std::atomic_ref(parents[v]).load(std::memory_order_relaxed);
}

/// The root above v; halves the path on its way.
VertexId FindRoot(Forest& parents, VertexId v) {
  for (;;) {
    const VertexId parent = Parent(parents, v);
    const VertexId grandparent = Parent(parents, parent);
    if (parent == grandparent) return parent;
    std::atomic_ref(parents[v]).store(grandparent, std::memory_order_relaxed);
    v = grandparent;
  }
}

/// Merges the trees of two vertices; returns the root of both, as far as this thread knows.
VertexId Join(Forest& parents, VertexId a, VertexId b) {
  for (;;) {
    a = FindRoot(parents, a);
    b = FindRoot(parents, b);
    if (a == b) return a;
    const VertexId lower = std::min(a, b);
    VertexId higher = std::max(a, b);
    if (std::atomic_ref(parents[higher])
            .compare_exchange_strong(higher, lower, std::memory_order_relaxed)) {
      return lower;
    }
  }
}

absl::Status JoinNeighbors(Graph& graph, Forest& parents) {
  return ForEachList(graph, Direction::kOut, nullptr,
                     [&](VertexId v, absl::Span<const VertexId> neighbors) {
                       VertexId root = v;
                       for (const VertexId neighbor : neighbors) {
                         if (Parent(parents, neighbor) != root) {
                           root = Join(parents, root, neighbor);
                         }
                       }
                     });
}

struct ComponentCount {
  uint64_t components = 0;
  uint64_t largest = 0;               ///< vertices of the largest
  VertexId largest_root = kNoVertex;  ///< the smallest such root
};

/// The vertices below each root. Most vertices of a graph are usually in one component: a thread
/// adds up a run of equal roots on its own before it adds to the shared count.
std::vector<VertexId> CountBelowRoots(const Forest& parents) {
  std::vector<VertexId> below(parents.size());
#pragma omp parallel
  {
    VertexId root = 0;
    VertexId run = 0;
    const auto add_run = [&] {
      if (run > 0) std::atomic_ref(below[root]).fetch_add(run, std::memory_order_relaxed);
    };
#pragma omp for schedule(static) nowait
    for (VertexId v = 0; v < parents.size(); ++v) {
      if (parents[v] == v) continue;
      if (parents[v] != root) {
        add_run();
        root = parents[v];
        run = 0;
      }
      ++run;
    }
    add_run();
  }
  return below;
}

ComponentCount CountComponents(const Forest& parents) {
  const std::vector<VertexId> below = CountBelowRoots(parents);
  ComponentCount count;
  for (VertexId v = 0; v < parents.size(); ++v) {
    if (parents[v] != v) continue;
    ++count.components;
    const uint64_t size = uint64_t{1} + below[v];
    if (size > count.largest) {
      count.largest = size;
      count.largest_root = v;
    }
  }
  return count;
}

class Wcc : public Kernel {
 public:
  absl::string_view name() const override { return "wcc"; }
  absl::string_view summary() const override {
    return "weakly connected components: the smallest vertex of each vertex's component";
  }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kNone; }

  std::vector<DataSegment> Segments(const GraphManifest& graph) const override {
    return {VertexArray<VertexId>("parent", graph.vertices, kRandomReadWrite),
            VertexArray<VertexId>("below_root", graph.vertices, kRandomReadWrite)};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions&) const override {
    Forest parents(graph.vertices());
    VertexMap(graph.vertices(), [&](VertexId v) { parents[v] = v; });
    FARGRAPH_RETURN_IF_ERROR(JoinNeighbors(graph, parents));
    VertexMap(graph.vertices(), [&](VertexId v) {
      std::atomic_ref(parents[v]).store(FindRoot(parents, v), std::memory_order_relaxed);
    });
    graph.EndIteration(graph.vertices());

    const ComponentCount count = CountComponents(parents);
    KernelResult result;
    result.answer["components"] = count.components;
    result.answer["largest"] = count.largest;
    if (count.components > 0) result.answer["largest_id"] = graph.InputId(count.largest_root);
    result.columns.push_back({"component", std::move(parents)});
    return result;
  }

  absl::Status Verify(const GraphFiles& files, const KernelOptions&,
                      const KernelResult& result) const override {
    return VerifyWcc(files, result);
  }
};

FARGRAPH_REGISTER_KERNEL(Wcc);

}  // namespace
}  // namespace fargraph
