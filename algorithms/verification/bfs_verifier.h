#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_BFS_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_BFS_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Checks every level against a serial queue search along the out-edges, that each parent is the
/// smallest in-neighbour one level up, and the answer. Aborted when something is wrong, naming the
/// first difference; errors of reading the files.
absl::Status VerifyBfs(const GraphFiles& files, const KernelOptions& options,
                       const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_BFS_VERIFIER_H_
