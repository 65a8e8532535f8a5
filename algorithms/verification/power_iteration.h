#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_POWER_ITERATION_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_POWER_ITERATION_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/verification/verification.h"
#include "graph/csr.h"

/// The power iteration of PageRank, serial and along out-edges: for verifiers, not for kernels.
namespace fargraph {

/// Ranks, and by how much the last two steps changed them (L1).
struct PowerRanks {
  std::vector<double> ranks;
  double change = std::numeric_limits<double>::infinity();
  double change_before = std::numeric_limits<double>::infinity();
};

/// One step from any ranks, one for each vertex.
std::vector<double> StepOfPowerIteration(const Csr& graph, absl::Span<const double> ranks);

/// So many steps from uniform ranks.
PowerRanks IteratePower(const Csr& graph, uint64_t steps);

/// Aborted unless the ranks are no farther than that from the expected ones (L1).
absl::Status CheckRanks(const InputIds& ids, absl::Span<const double> ranks,
                        absl::Span<const double> expected, double largest_distance);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_POWER_ITERATION_H_
