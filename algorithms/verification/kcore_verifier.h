#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_KCORE_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_KCORE_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Checks every core number against the algorithm of Batagelj and Zaversnik (2003), and the answer.
/// Aborted when something is wrong, naming the first difference; errors of reading the files.
absl::Status VerifyKCore(const GraphFiles& files, const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_KCORE_VERIFIER_H_
