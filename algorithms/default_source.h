#ifndef FARGRAPH_ALGORITHMS_DEFAULT_SOURCE_H_
#define FARGRAPH_ALGORITHMS_DEFAULT_SOURCE_H_

#include "compute_node/engine/graph.h"
#include "graph/ids.h"

namespace fargraph {

/// Where a search begins that was not told: the vertex with most out-edges, the smallest of equals;
/// 0 in a graph without vertices.
VertexId LargestOutDegree(const Graph& graph);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_DEFAULT_SOURCE_H_
