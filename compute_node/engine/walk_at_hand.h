#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_WALK_AT_HAND_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_WALK_AT_HAND_H_

#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/list_receiver.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// What each thread of a walk does: makes a receiver of its own and calls walk(receiver).
using OnThread = absl::FunctionRef<void(absl::FunctionRef<void(ListReceiver&)> walk)>;

/// True of a walk that is over before a second thread has woken up.
bool IsShortWalk(const EdgeLists& lists, absl::Span<const VertexId> members);

/// The first part of a walk over a sparse active set of lists that are far in part: those that are
/// local or in the cache, in any order, each as a whole. Returns the vertices whose lists are
/// neither; nothing where there is no cache, or it has been of little use of late, and the walk has
/// not begun.
std::optional<VertexSubset> WalkAtHand(Graph& graph, Direction direction,
                                       const VertexSubset& active, OnThread on_thread);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_WALK_AT_HAND_H_
