#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_SSSP_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_SSSP_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Checks every distance, bit by bit, against Dijkstra's algorithm with a heap, and the answer.
/// Aborted when something is wrong, naming the first difference; errors of reading the files.
absl::Status VerifySssp(const GraphFiles& files, const KernelOptions& options,
                        const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_SSSP_VERIFIER_H_
