#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_SPMV_VERIFIER_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_SPMV_VERIFIER_H_

#include "absl/status/status.h"
#include "compute_node/engine/kernel.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Multiplies serially in double precision, and allows every entry of y the rounding errors that
/// sums of so many terms may have in the kernel's precision: for a row of d edges after k
/// multiplications, where no row has more than D edges, (d + 3 + (k - 1) (D + 3)) times the unit
/// roundoff, of the sum of the terms' magnitudes. Checks the answer too. Aborted when something is
/// wrong, naming the first difference; errors of reading the files.
absl::Status VerifySpmv(const GraphFiles& files, const KernelOptions& options,
                        const KernelResult& result);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_SPMV_VERIFIER_H_
