#include "algorithms/verification/pagerank_delta_verifier.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/damping.h"
#include "algorithms/verification/power_iteration.h"
#include "algorithms/verification/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"

namespace fargraph {
namespace {

/// Rounding of a step (L1), of the sum of the ranks, and of many steps (L1).
constexpr double kRounding = 1e-11;
constexpr double kSumRounding = 1e-9;
constexpr double kStepsRounding = 1e-9;

/// Aborted unless a step of power iteration changes the ranks by no more than that, L1.
absl::Status CheckFixedPoint(const Csr& graph, const InputIds& ids, absl::Span<const double> ranks,
                             double most) {
  std::vector<double> changes = StepOfPowerIteration(graph, ranks);
  double sum = 0;
  VertexId worst = 0;
  for (VertexId v = 0; v < changes.size(); ++v) {
    changes[v] -= ranks[v];
    sum += std::abs(changes[v]);
    if (!(std::abs(changes[v]) <= std::abs(changes[worst]))) worst = v;  // also for NaN
  }
  if (sum <= most) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat(
      "the ranks are not those of the fixed point: a step of the verifier changes them by ", sum,
      " (L1), more than ", most, ", most of all at vertex ", ids[worst], " by ", changes[worst]));
}

/// Aborted unless delta is no more than the tolerance, or what rounding may keep changing.
absl::Status CheckDelta(double tolerance, double delta) {
  if (delta >= 0 && delta <= std::max(tolerance, kRounding)) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat("pagerank_delta ended with a delta of ", delta,
                                         ", above the tolerance of ", tolerance));
}

/// True if it ended with the last of the iterations asked for, and not, as delta says, because it
/// came to the tolerance.
bool EndedWithIterations(const KernelOptions& options, double delta) {
  if (!options.iterations) return false;
  return *options.iterations == 0 || !options.tolerance || !(delta <= *options.tolerance);
}

/// Checks ranks that ended with the last iteration asked for. What is held back in an iteration is
/// less than half of the tolerance, and the next one passes on 0.85 of it: no more than the sum of
/// this geometric series lies between the ranks and those of power iteration.
absl::Status CheckSteps(const Csr& graph, const InputIds& ids, absl::Span<const double> ranks,
                        const KernelOptions& options, const KernelResult& result) {
  const uint64_t steps = *options.iterations;
  const PowerRanks expected = IteratePower(graph, steps);
  const double held_back = options.tolerance.value_or(0) / 2;
  const double distance = kPageRankDamping / (1 - kPageRankDamping) * held_back + kStepsRounding;
  FARGRAPH_RETURN_IF_ERROR(CheckRanks(ids, ranks, expected.ranks, distance));
  return CheckAnswerNear(result, "delta", steps == 0 ? 0 : expected.change,
                         2 * distance + held_back);
}

}  // namespace

absl::Status VerifyPageRankDelta(const GraphFiles& files, const KernelOptions& options,
                                 const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr graph, LoadCsr(files, Direction::kOut));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const auto ranks, FindColumn<double>(result, "rank", graph.vertices()));
  const double delta = result.answer.value("delta", -1.0);
  if (EndedWithIterations(options, delta)) {
    FARGRAPH_RETURN_IF_ERROR(CheckSteps(graph, ids, ranks, options, result));
  } else {
    FARGRAPH_RETURN_IF_ERROR(CheckDelta(options.tolerance.value_or(1e-9), delta));
    FARGRAPH_RETURN_IF_ERROR(
        CheckFixedPoint(graph, ids, ranks, kPageRankDamping * delta + kRounding));
  }
  double sum = 0;
  for (const double rank : ranks) sum += rank;
  FARGRAPH_RETURN_IF_ERROR(CheckAnswerNear(result, "sum", sum, kSumRounding));
  return CheckTop10(result, ids, ranks);
}

}  // namespace fargraph
