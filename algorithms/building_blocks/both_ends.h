#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_BOTH_ENDS_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_BOTH_ENDS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "common/status_macros.h"
#include "compute_node/engine/graph.h"
#include "graph/graph_files.h"
#include "graph/ids.h"

/// For kernels in which an edge counts at both its ends, whichever way it points. Any thread may
/// call.
namespace fargraph {

/// In so many directions a graph has lists, if each edge is to stand at both its ends.
inline uint32_t Directions(const GraphManifest& graph) { return graph.symmetric ? 1 : 2; }
inline uint32_t Directions(const Graph& graph) { return graph.symmetric() ? 1 : 2; }

/// Of vertex v, in all these lists; a self-loop of a graph that is not symmetric counts twice.
inline EdgeOffset EdgesAt(const Graph& graph, VertexId v) {
  return graph.OutDegree(v) + (graph.symmetric() ? 0 : graph.InDegree(v));
}

/// Calls read(direction), which returns a Status, for each direction; the first error ends it.
template <typename Read>
absl::Status ForBothEnds(const Graph& graph, Read&& read) {
  FARGRAPH_RETURN_IF_ERROR(read(Direction::kOut));
  return graph.symmetric() ? absl::OkStatus() : read(Direction::kIn);
}

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_BOTH_ENDS_H_
