#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_AFFOREST_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_AFFOREST_H_

#include <cstddef>

#include "absl/status/status.h"
#include "algorithms/building_blocks/union_find.h"
#include "compute_node/engine/graph.h"
#include "graph/graph_files.h"

/// Afforest: joins neighbours without reading most of the edges. The first neighbours of every
/// vertex, which are at hand in the heads, or a sample of the lists, or both, join nearly all of
/// what will be the largest component. An edge within the component changes nothing, so of the
/// other lists only those of the vertices outside are walked, in both directions, for an edge has
/// an end outside or changes nothing. Where the graph has no in-edges, no component is large, or
/// vertices have few neighbours beside their heads, all out-edges are.
///
/// Michael Sutton, Tal Ben-Nun, and Amnon Barak. "Optimizing Parallel Graph Connectivity
/// Computation via Subgraph Sampling." IEEE International Parallel and Distributed Processing
/// Symposium (IPDPS), Vancouver, Canada, May 2018.
namespace fargraph {

/// The columns of out-heads that are joined: more join little that is not joined already.
inline constexpr size_t kJoinedHeads = 2;

/// Joins in `forest`, of as many vertices as the graph has, at least one, the two ends of every
/// edge. Each walk over lists is an iteration. Called from outside of parallel regions; errors of
/// ForEachList.
absl::Status JoinNeighbors(Graph& graph, UnionFind& forest);

/// About how many of the out-lists that reads, of all; in-lists it hardly does. `heads`: they are
/// local.
double PartOfOutLists(const GraphManifest& graph, bool heads);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_AFFOREST_H_
