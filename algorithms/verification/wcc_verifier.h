#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_WCC_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_WCC_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Checks every component against a serial flood over the edges in both senses, and the answer.
/// Aborted when something is wrong, naming the first difference; errors of reading the files.
absl::Status VerifyWcc(const GraphFiles& files, const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_WCC_VERIFIER_H_
