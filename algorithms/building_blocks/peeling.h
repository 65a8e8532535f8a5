#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_PEELING_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_PEELING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "compute_node/engine/graph.h"
#include "compute_node/placement/segment.h"
#include "graph/vertex_array.h"

/// Peeling. In the order of k, the vertices that have no more than k neighbours left go, and their
/// core number is k; this leaves their neighbours with fewer, some of which go in turn, until all
/// that are left have more than k. Those with few more than k are near: at most levels one looks
/// for who goes among them only, and at every 16th one among all that are left. The list of a
/// vertex is read once, when it goes, and not at all if nobody is left by then. Who goes in turn,
/// and whose list is at hand of the thread that finds out, goes at once: the order within a level
/// makes no difference. Where many go at once, each thread counts for itself what the hubs lose, to
/// which many of their edges lead.
///
/// Vladimir Batagelj and Matjaz Zaversnik. "An O(m) Algorithm for Cores Decomposition of Networks."
/// arXiv:cs/0310049, October 2003.
/// Naga Shailaja Dasari, Ranjan Desh, and Mohammad Zubair. "ParK: An Efficient Algorithm for k-core
/// Decomposition on Multicore Processors." IEEE International Conference on Big Data, Washington,
/// DC, October 2014.
namespace fargraph {

/// The core number of every vertex, by vertex. Each level at which vertices go is an iteration.
/// Called from outside of parallel regions. InvalidArgument where a vertex has 2^31 edges or more;
/// errors of ForEachList.
absl::StatusOr<VertexArray<int32_t>> PeelCores(Graph& graph);

/// What that holds at most, of so many vertices.
std::vector<DataSegment> PeelingSegments(uint64_t vertices);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_PEELING_H_
