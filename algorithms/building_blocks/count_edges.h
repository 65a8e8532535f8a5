#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COUNT_EDGES_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COUNT_EDGES_H_

#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// The edges in the lists of these vertices, for kernels that choose their direction by it.
EdgeOffset CountEdges(const EdgeLists& lists, const VertexSubset& vertices);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COUNT_EDGES_H_
