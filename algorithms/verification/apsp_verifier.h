#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_APSP_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_APSP_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Checks both columns against one serial breadth-first search from each of the answer's sources,
/// and the answer. Aborted when something is wrong, naming the first difference; errors of reading
/// the files.
absl::Status VerifyApsp(const GraphFiles& files, const KernelOptions& options,
                        const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_APSP_VERIFIER_H_
