#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_WALK_AT_HAND_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_WALK_AT_HAND_H_

#include <omp.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "compute_node/engine/deliver_lists.h"
#include "compute_node/engine/divided_list.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/on_team.h"
#include "compute_node/pipeline/list_cache.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "graph/ids.h"

namespace fargraph {

/// True of a walk that is over before a second thread has woken up.
inline bool IsShortWalk(const EdgeLists& lists, absl::Span<const VertexId> members) {
  constexpr EdgeOffset kMeanDegree = 16;
  const size_t most_members = VertexSubset::kBatch * omp_get_max_threads();
  if (members.size() > most_members) return false;
  EdgeOffset edges = 0;
  for (const VertexId v : members) edges += lists.Degree(v);
  return edges <= kMeanDegree * most_members;
}

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
  if (cache == nullptr || !cache->pays(active.size())) return std::nullopt;

  const absl::Span<const VertexId> members = active.members();
  std::vector<VertexId> others;
  const bool parallel = !IsShortWalk(lists, members);
  DividedList<VertexId> batches(members, parallel ? omp_get_max_threads() : 1);
  OnTeam(parallel, [&] {
    auto compute = make_compute();
    std::vector<VertexId> mine;
    const auto find = [&](VertexId v) {
      if (lists.Degree(v) <= skip) return FoundList();
      const LocalList list = cache->Find(v);
      if (list.edges == nullptr) mine.push_back(v);
      return TailOf(lists, v, list, skip);
    };
    const auto deliver = [&](absl::Span<const VertexId> batch) {
      DeliverFound(batch, find, compute);
    };
    batches.TakeAll(VertexSubset::kBatch, deliver);
    FollowFound(
        compute, [&](VertexId v) { return cache->Find(v).edges != nullptr; }, deliver);
#pragma omp critical
    others.insert(others.end(), mine.begin(), mine.end());
  });
  cache->CountFound(members.size() - others.size());
  return VertexSubset(graph.vertices(), std::move(others));
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_WALK_AT_HAND_H_
