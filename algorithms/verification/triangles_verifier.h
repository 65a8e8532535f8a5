#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_TRIANGLES_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_TRIANGLES_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Counts the triangles by intersecting, for every edge, the sorted lists of those neighbours of
/// its two ends that have more neighbours than these. Aborted when the answer is another one;
/// errors of reading the files.
absl::Status VerifyTriangles(const GraphFiles& files, const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_TRIANGLES_VERIFIER_H_
