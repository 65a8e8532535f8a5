#include "algorithms/pagerank_verifier.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/pagerank_common.h"
#include "algorithms/verification.h"
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

double Distance(absl::Span<const double> a, absl::Span<const double> b) {
  double distance = 0;
  for (size_t v = 0; v < a.size(); ++v) distance += std::abs(a[v] - b[v]);
  return distance;
}

/// One step of the power iteration.
std::vector<double> Step(const Csr& graph, const std::vector<double>& ranks) {
  const double vertices = graph.vertices();
  double everywhere = (1 - kPageRankDamping) / vertices;
  std::vector<double> next(graph.vertices());
  for (VertexId u = 0; u < graph.vertices(); ++u) {
    if (graph.degree(u) == 0) {
      everywhere += kPageRankDamping * ranks[u] / vertices;
      continue;
    }
    const double share = kPageRankDamping * ranks[u] / graph.degree(u);
    for (const VertexId v : graph.neighbors(u)) next[v] += share;
  }
  for (double& rank : next) rank += everywhere;
  return next;
}

/// Aborted unless the options have it end after `iterations`, whose last two brought these changes:
/// at the last that is allowed, or with the first change of at most the tolerance.
absl::Status CheckEnd(const KernelOptions& options, uint64_t iterations, double change_before,
                      double change, const Exactness& exactness) {
  const uint64_t most = options.iterations.value_or(1000);
  const double usual_tolerance = options.iterations ? -1 : exactness.usual_tolerance;
  const double tolerance = options.tolerance.value_or(usual_tolerance);
  const bool too_early = iterations < most && change > tolerance + exactness.rounding;
  const bool too_late = iterations > most || change_before < tolerance - exactness.rounding;
  if (!too_early && !too_late) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat("pagerank ended after ", iterations, " iterations, too ",
                                         too_early ? "early" : "late", ": the last changed ",
                                         change, ", the one before ", change_before));
}

absl::Status CheckRanks(const InputIds& ids, absl::Span<const double> ranks,
                        const std::vector<double>& expected, double largest_distance) {
  const double distance = Distance(ranks, expected);
  if (distance <= largest_distance) return absl::OkStatus();  // false for NaN
  const auto off = [&](VertexId v) {
    const double difference = std::abs(ranks[v] - expected[v]);
    return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
  };
  VertexId worst = 0;
  for (VertexId v = 1; v < ranks.size(); ++v) {
    if (off(v) > off(worst)) worst = v;
  }
  return absl::AbortedError(absl::StrCat("the ranks are ", distance,
                                         " (L1) away from those of the verifier, most of all at "
                                         "vertex ",
                                         ids[worst], " with ", ranks[worst], " for ",
                                         expected[worst]));
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
  std::vector<double> expected(graph.vertices(), 1.0 / graph.vertices());
  double change_before = std::numeric_limits<double>::infinity();
  double change = std::numeric_limits<double>::infinity();
  for (uint64_t i = 0; i < iterations; ++i) {
    std::vector<double> next = Step(graph, expected);
    change_before = std::exchange(change, Distance(next, expected));
    expected = std::move(next);
  }
  FARGRAPH_RETURN_IF_ERROR(CheckEnd(options, iterations, change_before, change, exactness));
  FARGRAPH_RETURN_IF_ERROR(CheckRanks(ids, ranks, expected, exactness.distance));
  const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
  FARGRAPH_RETURN_IF_ERROR(CheckAnswerNear(result, "sum", sum, exactness.distance));
  FARGRAPH_RETURN_IF_ERROR(
      CheckAnswerNear(result, "delta", iterations == 0 ? 0 : change, exactness.distance));
  return CheckTop10(result, ids, ranks);
}

}  // namespace fargraph
