#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_BRANDES_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_BRANDES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/engine/graph.h"
#include "compute_node/placement/segment.h"
#include "graph/graph_files.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"

/// Brandes' algorithm. Per source it goes over the levels of a breadth-first search twice. On the
/// way out it counts shortest paths: there are as many to a vertex as to all its predecessors
/// together. On the way back it sums dependencies: those of a vertex v with p(v) paths on its
/// successors w,
///
///     dependency(v) = sum of p(v) / p(w) * (1 + dependency(w)).
///
/// A level of the way out is pushed along the out-edges of the level before, or pulled along the
/// in-edges of all vertices not reached yet. A pull cannot end early, for every predecessor counts,
/// so it costs all these edges. The way back only pulls. In both directions a neighbour whose
/// number is known already is always one of the level that counts, so no levels are compared.
///
/// The scores are the same on every placement and for any number of threads: a pull adds in the
/// order of the list, and a push adds whole numbers, which is exact in any order up to 2^53. What a
/// push has counted up to more is counted again by a pull.
///
/// Ulrik Brandes. "A Faster Algorithm for Betweenness Centrality." Journal of Mathematical
/// Sociology, 25(2):163-177, 2001.
/// Kamesh Madduri, David Ediger, Karl Jiang, David A. Bader, and Daniel Chavarria-Miranda. "A
/// Faster Parallel Algorithm and Efficient Multithreaded Implementations for Evaluating Betweenness
/// Centrality on Massive Datasets." International Symposium on Parallel and Distributed Processing
/// (IPDPS), 2009.
namespace fargraph {

/// The sum of the dependencies of each source on a vertex, by vertex; a source has none on itself.
/// `sources`: any vertices; the order in which they come may change the last bits of a sum. Each
/// level, on either way, is an iteration. Called from outside of parallel regions. InvalidArgument
/// where there are more than 1e308 paths to a vertex; errors of ForEachList.
absl::StatusOr<VertexArray<double>> SumDependencies(Graph& graph,
                                                    absl::Span<const VertexId> sources);

/// What that holds at most.
std::vector<DataSegment> BrandesSegments(const GraphManifest& graph);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_BRANDES_H_
