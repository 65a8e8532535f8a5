#include "algorithms/verification/pagerank_verifier.h"

#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/verification/power_iteration.h"
#include "algorithms/verification/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"

namespace fargraph {
namespace {

/// What goes for ranks of a precision.
struct Exactness {
  double usual_tolerance;
  double distance;  ///< from the ranks of the verifier at most, L1
  double rounding;  ///< of what an iteration changes, L1
};
constexpr Exactness kDouble = {.usual_tolerance = 1e-9, .distance = 1e-9, .rounding = 1e-13};
constexpr Exactness kSingle = {.usual_tolerance = 1e-6, .distance = 1e-4, .rounding = 5e-7};

/// Aborted unless the options have it end after `iterations`, which give these ranks: at the last
/// that is allowed, or with the first change of at most the tolerance.
absl::Status CheckEnd(const KernelOptions& options, uint64_t iterations, const PowerRanks& expected,
                      const Exactness& exactness) {
  const uint64_t most = options.iterations.value_or(1000);
  const double usual_tolerance = options.iterations ? -1 : exactness.usual_tolerance;
  const double tolerance = options.tolerance.value_or(usual_tolerance);
  const bool too_early = iterations < most && expected.change > tolerance + exactness.rounding;
  const bool too_late =
      iterations > most || expected.change_before < tolerance - exactness.rounding;
  if (!too_early && !too_late) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat(
      "pagerank ended after ", iterations, " iterations, too ", too_early ? "early" : "late",
      ": the last changed ", expected.change, ", the one before ", expected.change_before));
}

}  // namespace

absl::Status VerifyPageRank(const GraphFiles& files, const KernelOptions& options,
                            const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr graph, LoadCsr(files, Direction::kOut));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<double> ranks,
                            ReadNumbers(result, "rank", options.precision, graph.vertices()));
  const Exactness& exactness = options.precision == Precision::kSingle ? kSingle : kDouble;

  const uint64_t iterations = result.answer.value("iterations", uint64_t{0});
  const PowerRanks expected = IteratePower(graph, iterations);
  FARGRAPH_RETURN_IF_ERROR(CheckEnd(options, iterations, expected, exactness));
  FARGRAPH_RETURN_IF_ERROR(CheckRanks(ids, ranks, expected.ranks, exactness.distance));
  const double sum = std::accumulate(expected.ranks.begin(), expected.ranks.end(), 0.0);
  FARGRAPH_RETURN_IF_ERROR(CheckAnswerNear(result, "sum", sum, exactness.distance));
  FARGRAPH_RETURN_IF_ERROR(
      CheckAnswerNear(result, "delta", iterations == 0 ? 0 : expected.change, exactness.distance));
  return CheckTop10(result, ids, ranks);
}

}  // namespace fargraph
