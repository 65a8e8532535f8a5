#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_FETCH_RUN_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_FETCH_RUN_H_

#include <cstdint>
#include <vector>

#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// Elements of a chunk that are fetched together: lists that somebody asked for, and gaps between
/// them that are cheaper to read than to split at.
struct FetchRun {
  VertexId first_vertex = 0;  ///< the lists asked for are of vertices in [first_vertex, end_vertex)
  VertexId end_vertex = 0;
  ElementRange range;
  uint64_t useful = 0;  ///< elements of the lists asked for
};

/// Adds the list of `v` to the runs that an iteration needs of a chunk. It lies behind all those
/// that were added before and is not empty. Lists come in the order in which they lie, so there is
/// nothing to sort; where the gap to the last run, in elements, is below the link's break-even gap,
/// it is merged, as in Graphene (FAST '17, section 4).
void AddList(VertexId v, const ElementRange& list, uint64_t break_even_gap,
             std::vector<FetchRun>& runs);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_FETCH_RUN_H_
