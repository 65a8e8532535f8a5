#ifndef FARGRAPH_COMPUTE_NODE_TESTING_RANDOM_EDGES_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_RANDOM_EDGES_H_

#include <vector>

#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/testing/test_graph.h"

namespace fargraph {

/// The vertices of the graphs that RandomEdges makes.
inline constexpr VertexId kRandomVertices = 500;

/// 3000 edges. The lists of the vertices 0 to 2 are many chunks of a TestGraph long, and of the
/// others' a chunk holds several.
EdgeList RandomEdges(unsigned seed);

using NeighborLists = std::vector<std::vector<VertexId>>;

/// The neighbours of the `active` vertices (nullptr: of all), ascending; the others have none.
NeighborLists ListsOf(VertexId vertices, const EdgeList& edges, Direction direction,
                      const VertexSubset* active = nullptr);

/// The same as ForEachList delivers them, which the test expects to succeed.
NeighborLists DeliveredLists(Graph& graph, Direction direction, const VertexSubset* active);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_RANDOM_EDGES_H_
