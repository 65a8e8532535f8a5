#include "algorithms/pagerank_delta_verifier.h"

#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/pagerank_common.h"
#include "algorithms/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"

namespace fargraph {
namespace {

/// Of a step, L1, and of the sum of the ranks.
constexpr double kRounding = 1e-11;
constexpr double kSumRounding = 1e-9;

/// By how much one step of the power iteration changes each rank.
std::vector<double> ChangesOfOneStep(const Csr& graph, absl::Span<const double> ranks) {
  const double vertices = graph.vertices();
  std::vector<double> changes(graph.vertices());
  double everywhere = (1 - kPageRankDamping) / vertices;
  for (VertexId u = 0; u < graph.vertices(); ++u) {
    if (graph.degree(u) == 0) {
      everywhere += kPageRankDamping * ranks[u] / vertices;
      continue;
    }
    const double share = kPageRankDamping * ranks[u] / graph.degree(u);
    for (const VertexId v : graph.neighbors(u)) changes[v] += share;
  }
  for (VertexId v = 0; v < graph.vertices(); ++v) changes[v] += everywhere - ranks[v];
  return changes;
}

absl::Status CheckChanges(const InputIds& ids, absl::Span<const double> changes, double most) {
  double sum = 0;
  VertexId worst = 0;
  for (VertexId v = 0; v < changes.size(); ++v) {
    sum += std::abs(changes[v]);
    if (!(std::abs(changes[v]) <= std::abs(changes[worst]))) worst = v;  // also for NaN
  }
  if (sum <= most) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat(
      "the ranks are not those of the fixed point: a step of the verifier changes them by ", sum,
      " (L1), more than ", most, ", most of all at vertex ", ids[worst], " by ", changes[worst]));
}

/// Aborted unless delta is below the tolerance, or the iterations may have ended before.
absl::Status CheckDelta(const KernelOptions& options, double delta) {
  if (options.iterations) return absl::OkStatus();
  const double tolerance = options.tolerance.value_or(1e-9);
  const bool may_not_get_there = tolerance < kRounding;
  if (delta >= 0 && (delta <= tolerance || may_not_get_there)) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat("pagerank_delta ended with a delta of ", delta,
                                         ", above the tolerance of ", tolerance));
}

}  // namespace

absl::Status VerifyPageRankDelta(const GraphFiles& files, const KernelOptions& options,
                                 const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr graph, LoadCsr(files, Direction::kOut));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const auto ranks, FindColumn<double>(result, "rank", graph.vertices()));
  const double delta = result.answer.value("delta", -1.0);
  FARGRAPH_RETURN_IF_ERROR(CheckDelta(options, delta));
  FARGRAPH_RETURN_IF_ERROR(
      CheckChanges(ids, ChangesOfOneStep(graph, ranks), kPageRankDamping * delta + kRounding));
  double sum = 0;
  for (const double rank : ranks) sum += rank;
  FARGRAPH_RETURN_IF_ERROR(CheckAnswerNear(result, "sum", sum, kSumRounding));
  return CheckTop10(result, ids, ranks);
}

}  // namespace fargraph
