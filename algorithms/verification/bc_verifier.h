#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_BC_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_BC_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Checks every score (up to a 1e-9th of it) against Brandes' algorithm with a queue, a stack and
/// lists of predecessors, from the sources that the answer names; that these are as many vertices
/// as were asked for; and the answer. Aborted when something is wrong, naming the first difference;
/// errors of reading the files.
absl::Status VerifyBc(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_BC_VERIFIER_H_
