#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_MIS_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_MIS_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Checks that no edge joins two members and that every other vertex has a member as neighbour;
/// then that the set is the one of the order that mis.cc defines, taken one vertex after the other;
/// and the answer. Aborted when something is wrong, naming the first difference; errors of reading
/// the files.
absl::Status VerifyMis(const GraphFiles& files, const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_MIS_VERIFIER_H_
