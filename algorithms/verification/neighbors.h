#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_NEIGHBORS_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_NEIGHBORS_H_

#include "absl/status/statusor.h"
#include "graph/csr.h"
#include "graph/graph_files.h"

namespace fargraph {

/// For verifiers, not for kernels, of what is defined on undirected graphs: the neighbours of every
/// vertex at either end of its edges, from the out-edges alone. An edge stands in the lists of both
/// its ends, one that is there several times as often; self-loops are left out. Errors of reading
/// the files.
absl::StatusOr<Csr> LoadNeighbors(const GraphFiles& files);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_NEIGHBORS_H_
