#include "compute_node/engine/walk_at_hand.h"

#include <omp.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "compute_node/engine/divided_list.h"
#include "compute_node/engine/hand_over.h"
#include "compute_node/engine/on_team.h"
#include "compute_node/pipeline/list_cache.h"

namespace fargraph {

bool IsShortWalk(const EdgeLists& lists, absl::Span<const VertexId> members) {
  constexpr EdgeOffset kMeanDegree = 16;
  const size_t most_members = VertexSubset::kBatch * omp_get_max_threads();
  if (members.size() > most_members) return false;
  EdgeOffset edges = 0;
  for (const VertexId v : members) edges += lists.Degree(v);
  return edges <= kMeanDegree * most_members;
}

std::optional<VertexSubset> WalkAtHand(Graph& graph, Direction direction,
                                       const VertexSubset& active, OnThread on_thread) {
  const EdgeLists& lists = graph.Lists(direction);
  ListCache* const cache = graph.cache(lists);
  if (cache == nullptr || !cache->pays(active.size())) return std::nullopt;

  const absl::Span<const VertexId> members = active.members();
  std::vector<VertexId> others;
  const bool parallel = !IsShortWalk(lists, members);
  DividedList<VertexId> batches(members, parallel ? omp_get_max_threads() : 1);
  const auto walk = [&](ListReceiver& receiver) {
    std::vector<VertexId> mine;
    const auto find = [&](VertexId v) {
      if (lists.Degree(v) == 0) return FoundList();
      const LocalList list = cache->Find(v);
      if (list.edges == nullptr) mine.push_back(v);
      return WholeList(lists, v, list);
    };
    const auto hand_over = [&](absl::Span<const VertexId> batch) {
      HandOver(batch, find, receiver);
    };
    batches.TakeAll(VertexSubset::kBatch, hand_over);
    FollowFound(
        receiver, [&](VertexId v) { return cache->Find(v).edges != nullptr; }, hand_over);
#pragma omp critical
    others.insert(others.end(), mine.begin(), mine.end());
  };
  OnTeam(parallel, [&] { on_thread(walk); });
  cache->CountFound(members.size() - others.size());
  return VertexSubset(graph.vertices(), std::move(others));
}

}  // namespace fargraph
