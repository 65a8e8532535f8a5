#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_MULTI_SOURCE_SEARCH_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_MULTI_SOURCE_SEARCH_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "compute_node/engine/edge_map.h"
#include "compute_node/engine/effort.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/vertex_map.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/segment.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"

namespace fargraph {

/// Up to 64 breadth-first searches along out-edges that run as one (Then et al., "The More the
/// Merrier: Efficient Multi-Source Graph Traversal", PVLDB 8(4), 2014). Each vertex holds one bit
/// per search that has reached it; in a step every vertex whose bits changed in the last one ORs
/// them into its out-neighbours. An edge map does this in either direction; a vertex that has all
/// bits wants no more. So lists are read once for all searches that come by at the same distance.
class MultiSourceSearch {
 public:
  using Searches = uint64_t;  ///< one bit each, in the order of the sources
  static constexpr size_t kMostSources = 64;

  explicit MultiSourceSearch(Graph& graph)
      : graph_(graph), visited_(graph.vertices()), next_visited_(graph.vertices()) {}

  /// What it holds, for Kernel::Segments.
  static std::vector<DataSegment> Segments(uint64_t vertices) {
    return {VertexSegment<Searches>("visited", vertices, kRandomReadWrite),
            VertexSegment<Searches>("next_visited", vertices, kRandomReadWrite),
            VertexBits("frontier", vertices), NextFrontier::Segment(vertices),
            VertexBits("pull_targets", vertices)};
  }

  /// Of one Run. The searches begin all over the graph, so that most steps are wide; a list is read
  /// again when others arrive, at most once for each. Where they are deep they seldom come
  /// together.
  static Effort EffortOf(const GraphManifest& graph, const ListTraits& lists, uint64_t searches) {
    const SearchDepth depth = RoughDepth(graph, lists.kind);
    const double reads = std::min(static_cast<double>(searches), 0.5 * depth.levels);
    const double lone = lists.kind == GraphKind::kDeep ? 8 : 1;  // searches that meet no others
    const double passes = std::min(lone * static_cast<double>(searches), depth.levels);
    return {.list_reads = reads,
            .parts = reads,
            .edge_visits = 1.25 * passes,
            .random_visits = 0.75 * passes,
            .vertex_visits = 8 * passes,
            .steps = 2 * depth.levels};
  }

  /// Searches from `sources`, different vertices and at most kMostSources. Calls visit(v, arrived,
  /// distance) once for every vertex and distance at which searches arrive there, with these: in
  /// ascending order of the distances, those of one distance on all cores. Returns the largest
  /// distance. May be called again, also with other sources. Errors as in ForEachList.
  template <typename Visit>
  absl::StatusOr<int32_t> Run(absl::Span<const VertexId> sources, Visit&& visit);

 private:
  struct Step {
    MultiSourceSearch& search;

    bool Cond(VertexId target) const { return search.next_visited_[target] != search.all_; }

    bool Update(VertexId source, VertexId target) {
      Searches& searches = search.next_visited_[target];
      const Searches before = searches;
      searches |= search.visited_[source];
      return searches != before && before == search.visited_[target];
    }

    bool UpdateAtomic(VertexId source, VertexId target) {
      const Searches arriving = search.visited_[source];
      std::atomic_ref searches(search.next_visited_[target]);
      if ((arriving & ~searches.load(std::memory_order_relaxed)) == 0) return false;
      const Searches before = searches.fetch_or(arriving, std::memory_order_relaxed);
      return (arriving & ~before) != 0 && before == search.visited_[target];
    }
  };

  Graph& graph_;
  VertexArray<Searches> visited_;       ///< before this step
  VertexArray<Searches> next_visited_;  ///< after it
  Searches all_ = 0;
};

template <typename Visit>
absl::StatusOr<int32_t> MultiSourceSearch::Run(absl::Span<const VertexId> sources, Visit&& visit) {
  VertexMap(graph_.vertices(), [&](VertexId v) { visited_[v] = next_visited_[v] = 0; });
  all_ = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Searches search = Searches{1} << i;
    visited_[sources[i]] = next_visited_[sources[i]] = search;
    all_ |= search;
    visit(sources[i], search, 0);
  }
  EdgeMap edge_map(graph_);
  Step step{*this};
  VertexSubset frontier(graph_.vertices(), {sources.begin(), sources.end()});
  int32_t distance = 0;
  while (!frontier.empty()) {
    FARGRAPH_ASSIGN_OR_RETURN(VertexSubset next, edge_map(frontier, step));
    graph_.EndIteration(frontier.size());
    if (!next.empty()) ++distance;
    VertexMap(next, [&](VertexId v) {
      const Searches before = std::exchange(visited_[v], next_visited_[v]);
      visit(v, visited_[v] & ~before, distance);
    });
    frontier = std::move(next);
  }
  return distance;
}

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_MULTI_SOURCE_SEARCH_H_
