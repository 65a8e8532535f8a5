#include "compute_node/testing/random_edges.h"

#include <algorithm>
#include <random>

#include "compute_node/engine/for_each_list.h"
#include "gtest/gtest.h"

namespace fargraph {

EdgeList RandomEdges(unsigned seed) {
  std::mt19937 random(seed);
  EdgeList edges;
  for (int i = 0; i < 3000; ++i) {
    const VertexId source = random() % 5 == 0 ? random() % 3 : random() % kRandomVertices;
    edges.emplace_back(source, random() % kRandomVertices);
  }
  return edges;
}

NeighborLists ListsOf(VertexId vertices, const EdgeList& edges, Direction direction,
                      const VertexSubset* active) {
  NeighborLists lists(vertices);
  for (const auto& [source, target] : edges) {
    const VertexId v = direction == Direction::kOut ? source : target;
    if (active != nullptr && !active->Contains(v)) continue;
    lists[v].push_back(direction == Direction::kOut ? target : source);
  }
  for (auto& list : lists) std::sort(list.begin(), list.end());
  return lists;
}

NeighborLists DeliveredLists(Graph& graph, Direction direction, const VertexSubset* active) {
  NeighborLists lists(graph.vertices());
  const absl::Status status =
      ForEachList(graph, direction, active, [&](VertexId v, absl::Span<const VertexId> neighbors) {
        lists[v].insert(lists[v].end(), neighbors.begin(), neighbors.end());
      });
  EXPECT_TRUE(status.ok()) << status;
  return lists;
}

}  // namespace fargraph
