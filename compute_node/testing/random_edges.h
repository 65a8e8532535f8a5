#ifndef FARGRAPH_COMPUTE_NODE_TESTING_RANDOM_EDGES_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_RANDOM_EDGES_H_

#include <algorithm>
#include <random>
#include <vector>

#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/testing/test_graph.h"

namespace fargraph {

/// The vertices of the graphs that RandomEdges makes.
inline constexpr VertexId kRandomVertices = 500;

/// 3000 edges. The lists of the vertices 0 to 2 are many chunks of a TestGraph long, and of the
/// others' a chunk holds several.
inline EdgeList RandomEdges(unsigned seed) {
  std::mt19937 random(seed);
  EdgeList edges;
  for (int i = 0; i < 3000; ++i) {
    const VertexId source = random() % 5 == 0 ? random() % 3 : random() % kRandomVertices;
    edges.emplace_back(source, random() % kRandomVertices);
  }
  return edges;
}

using NeighborLists = std::vector<std::vector<VertexId>>;

/// The neighbours of the `active` vertices (nullptr: of all), ascending; the others have none.
inline NeighborLists ListsOf(VertexId vertices, const EdgeList& edges, Direction direction,
                             const VertexSubset* active = nullptr) {
  NeighborLists lists(vertices);
  for (const auto& [source, target] : edges) {
    const VertexId v = direction == Direction::kOut ? source : target;
    if (active != nullptr && !active->Contains(v)) continue;
    lists[v].push_back(direction == Direction::kOut ? target : source);
  }
  for (auto& list : lists) std::sort(list.begin(), list.end());
  return lists;
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_RANDOM_EDGES_H_
