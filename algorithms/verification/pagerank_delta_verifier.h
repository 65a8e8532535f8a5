#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_PAGERANK_DELTA_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_PAGERANK_DELTA_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Applies one serial step of power iteration to the ranks, and finds them right if this changes
/// them by no more than 0.85 times the answer's delta, and that is no more than the tolerance. A
/// step brings any two vectors of ranks closer by a factor of 0.85, so the ranks are then within
/// 0.85 / 0.15 times delta (L1) of the fixed point. Where the iterations asked for ended before, as
/// they do without a tolerance, the ranks are held against those of as many serial steps: they are
/// right within 1e-9 (L1), and with a tolerance within 0.85 / 0.15 times its half more. Checks the
/// answer too. Aborted when something is wrong; errors of reading the files.
absl::Status VerifyPageRankDelta(const GraphFiles& files, const KernelOptions& options,
                                 const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_PAGERANK_DELTA_VERIFIER_H_
