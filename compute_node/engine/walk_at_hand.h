#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_WALK_AT_HAND_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_WALK_AT_HAND_H_

#include <omp.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "compute_node/engine/deliver_lists.h"
#include "compute_node/engine/graph.h"
#include "compute_node/pipeline/list_cache.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "graph/ids.h"

namespace fargraph {

/// A walk over so few vertices and edges at hand is over before a second thread has woken up.
inline constexpr size_t kMostSerialVertices = 1024;
inline constexpr EdgeOffset kMostSerialEdges = 16 * kMostSerialVertices;

/// The first part of a walk over a sparse active set of lists that are far in part: those that are
/// local or in the cache, in any order, each as a whole. Returns the vertices whose lists are
/// neither; nothing where there is no cache, or it has been of little use of late, and the walk has
/// not begun. `skip`, `make_compute`: as in ScanLists.
template <typename MakeCompute>
std::optional<VertexSubset> WalkAtHand(Graph& graph, Direction direction,
                                       const VertexSubset& active, EdgeOffset skip,
                                       MakeCompute& make_compute) {
  const EdgeLists& lists = graph.Lists(direction);
  ListCache* const cache = graph.cache(lists);
  if (cache == nullptr || !cache->pays()) return std::nullopt;

  const absl::Span<const VertexId> members = active.members();
  EdgeOffset edges = 0;
  for (const VertexId v : members) edges += lists.Degree(v);
  std::vector<VertexId> others;
#pragma omp parallel if (members.size() > kMostSerialVertices || edges > kMostSerialEdges)
  {
    auto compute = make_compute();
    std::vector<VertexId> mine;
    const auto find = [&](VertexId v) {
      const EdgeOffset degree = lists.Degree(v);
      if (degree <= skip) return FoundList();
      const LocalList list = cache->Find(v);
      if (list.edges == nullptr) mine.push_back(v);
      return TailOf(list, degree, skip);
    };
#pragma omp for schedule(dynamic) nowait
    for (size_t begin = 0; begin < members.size(); begin += VertexSubset::kBatch) {
      DeliverFound(members.subspan(begin, VertexSubset::kBatch), find, compute);
    }
#pragma omp critical
    others.insert(others.end(), mine.begin(), mine.end());
  }
  cache->CountFound(members.size() - others.size());
  return VertexSubset(graph.vertices(), std::move(others));
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_WALK_AT_HAND_H_
