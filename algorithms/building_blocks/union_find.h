#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_UNION_FIND_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_UNION_FIND_H_

#include <algorithm>
#include <atomic>
#include <utility>

#include "compute_node/engine/vertex_map.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"

namespace fargraph {

/// A lock-free union-find forest of vertices. A root is hooked under a smaller one by
/// compare-and-swap and nothing else ever writes to a root, so parents are never larger than their
/// children and any number of threads may join and search at once. Searches halve the paths they
/// walk.
///
/// Siddhartha V. Jayanti and Robert E. Tarjan. "A Randomized Concurrent Algorithm for Disjoint Set
/// Union." ACM Symposium on Principles of Distributed Computing (PODC), Chicago, Illinois, July
/// 2016. (Here the order of the vertices is that of their numbers, which makes the smallest the
/// root.)
class UnionFind {
 public:
  /// Every vertex is a root. On all cores.
  explicit UnionFind(VertexId vertices) : parents_(vertices) {
    VertexMap(vertices, [&](VertexId v) { parents_[v] = v; });
  }

  VertexId size() const { return static_cast<VertexId>(parents_.size()); }
  /// By vertex, for prefetching.
  const VertexId* parents() const { return parents_.data(); }

  /// Of a root itself. Any thread may call, as for Join.
  VertexId Parent(VertexId v) {
    return std::atomic_ref(parents_[v]).load(std::memory_order_relaxed);
  }

  /// Merges the trees of two vertices; returns the root of both, as far as this thread knows.
  VertexId Join(VertexId a, VertexId b) {
    for (;;) {
      a = FindRoot(a);
      b = FindRoot(b);
      if (a == b) return a;
      const VertexId lower = std::min(a, b);
      VertexId higher = std::max(a, b);
      if (std::atomic_ref(parents_[higher])
              .compare_exchange_strong(higher, lower, std::memory_order_relaxed)) {
        return lower;
      }
    }
  }

  /// Hangs every vertex directly under its root, on all cores, while no one joins. Searches without
  /// halving paths: that could undo what another thread has just done to a vertex on the path.
  void Flatten() {
    VertexMap(size(), [&](VertexId v) {
      VertexId root = v;
      while (Parent(root) != root) root = Parent(root);
      std::atomic_ref(parents_[v]).store(root, std::memory_order_relaxed);
    });
  }

  VertexArray<VertexId> TakeParents() && { return std::move(parents_); }

 private:
  VertexId FindRoot(VertexId v) {
    for (;;) {
      const VertexId parent = Parent(v);
      const VertexId grandparent = Parent(parent);
      if (parent == grandparent) return parent;
      std::atomic_ref(parents_[v]).store(grandparent, std::memory_order_relaxed);
      v = grandparent;
    }
  }

  VertexArray<VertexId> parents_;
};

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_UNION_FIND_H_
