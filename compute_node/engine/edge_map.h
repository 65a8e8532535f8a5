#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_EDGE_MAP_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_EDGE_MAP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/list_scan.h"
#include "compute_node/engine/vertex_map.h"
#include "compute_node/engine/vertex_subset.h"

namespace fargraph {

/// Edges that leave `subset`.
inline uint64_t OutEdges(const Graph& graph, const VertexSubset& subset) {
  const EdgeLists& out = graph.Lists(Direction::kOut);
  const size_t vertices = subset.bitmap().size();
  uint64_t edges = 0;
#pragma omp parallel for reduction(+ : edges) schedule(static) if (vertices > kVerticesPerTask)
  for (size_t begin = 0; begin < vertices; begin += kVerticesPerTask) {
    subset.bitmap().ForEachSet(begin, std::min(begin + kVerticesPerTask, vertices),
                               [&](VertexId v) { edges += out.Degree(v); });
  }
  return edges;
}

/// Pushes along the out-edges of the frontier: any thread may reach any target, so Step updates
/// atomically.
template <typename Step>
absl::StatusOr<VertexSubset> EdgeMapPush(Graph& graph, const VertexSubset& frontier, Step& step) {
  Bitmap next(graph.vertices());
  FARGRAPH_RETURN_IF_ERROR(ForEachList(
      graph, Direction::kOut, &frontier, [&](VertexId source, absl::Span<const VertexId> targets) {
        for (const VertexId target : targets) {
          if (step.Cond(target) && step.UpdateAtomic(source, target)) next.Set(target);
        }
      }));
  return VertexSubset(std::move(next));
}

/// Pulls along the in-edges of every vertex that Step still wants: one thread owns a target, no
/// atomics.
template <typename Step>
absl::StatusOr<VertexSubset> EdgeMapPull(Graph& graph, const VertexSubset& frontier, Step& step) {
  const VertexSubset targets =
      VertexFilter(graph.vertices(), [&](VertexId v) { return step.Cond(v); });
  Bitmap next(graph.vertices());
  FARGRAPH_RETURN_IF_ERROR(ForEachList(graph, Direction::kIn, &targets,
                                       [&](VertexId target, absl::Span<const VertexId> sources) {
                                         for (const VertexId source : sources) {
                                           if (!frontier.Contains(source)) continue;
                                           if (step.Update(source, target)) next.Set(target);
                                           if (!step.Cond(target)) return false;
                                         }
                                         return true;
                                       }));
  return VertexSubset(std::move(next));
}

/// Applies `step` to every edge from `frontier` and returns the targets for which it said true, as
/// Ligra's edgeMap does (Shun and Blelloch, PPoPP 2013). Step has
///
///     bool Cond(VertexId target);                           // false: the target wants no more
///     bool Update(VertexId source, VertexId target);        // by the one thread that owns target
///     bool UpdateAtomic(VertexId source, VertexId target);  // by any thread
///
/// Pushes from a small frontier and pulls towards a large one (where the graph has in-edges):
/// Ligra's rule, a twentieth of all edges. Errors as in ForEachList.
template <typename Step>
absl::StatusOr<VertexSubset> EdgeMap(Graph& graph, const VertexSubset& frontier, Step& step) {
  constexpr uint64_t kPullShare = 20;
  const uint64_t work = frontier.size() + OutEdges(graph, frontier);
  const bool large = work > graph.Lists(Direction::kOut).edges() / kPullShare;
  if (large && graph.Has(Direction::kIn)) return EdgeMapPull(graph, frontier, step);
  return EdgeMapPush(graph, frontier, step);
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_EDGE_MAP_H_
