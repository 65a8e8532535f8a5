#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_LIST_WALK_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_LIST_WALK_H_

#include <optional>

#include "absl/status/status.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/list_scan.h"
#include "compute_node/engine/walk_at_hand.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "graph/ids.h"

namespace fargraph {

/// Walks over the lists of the active vertices on all cores, as ListScan says of its arguments:
/// what is behind ForEachList and its like. on_thread is called by each thread, for each part of
/// the walk. Errors as ForEachList's.
absl::Status WalkLists(Graph& graph, Direction direction, const VertexSubset* active,
                       std::optional<ListScan::ChosenTails> tails,
                       std::optional<ListScan::Soon> soon, OnThread on_thread);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_LIST_WALK_H_
