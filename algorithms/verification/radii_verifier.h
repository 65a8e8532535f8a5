#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_RADII_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_RADII_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Checks every radius against one serial breadth-first search from each vertex of the answer's
/// sample, and the answer. Aborted when something is wrong, naming the first difference; errors of
/// reading the files.
absl::Status VerifyRadii(const GraphFiles& files, const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_RADII_VERIFIER_H_
