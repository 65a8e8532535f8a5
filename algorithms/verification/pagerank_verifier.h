#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_PAGERANK_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_PAGERANK_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Checks the ranks against as many steps of a serial power iteration, which pushes along out-edges
/// (L1 distance of at most 1e-9, in single precision 1e-4), that the iterations ended when they had
/// to, and the answer. Aborted when something is wrong, naming the first difference; errors of
/// reading the files.
absl::Status VerifyPageRank(const GraphFiles& files, const KernelOptions& options,
                            const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_PAGERANK_VERIFIER_H_
