#include "algorithms/verification/power_iteration.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "algorithms/damping.h"

namespace fargraph {
namespace {

double Distance(absl::Span<const double> a, absl::Span<const double> b) {
  double distance = 0;
  for (size_t v = 0; v < a.size(); ++v) distance += std::abs(a[v] - b[v]);
  return distance;
}

}  // namespace

std::vector<double> StepOfPowerIteration(const Csr& graph, absl::Span<const double> ranks) {
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

PowerRanks IteratePower(const Csr& graph, uint64_t steps) {
  PowerRanks power = {.ranks = std::vector<double>(graph.vertices(), 1.0 / graph.vertices())};
  for (uint64_t i = 0; i < steps; ++i) {
    std::vector<double> next = StepOfPowerIteration(graph, power.ranks);
    power.change_before = std::exchange(power.change, Distance(next, power.ranks));
    power.ranks = std::move(next);
  }
  return power;
}

absl::Status CheckRanks(const InputIds& ids, absl::Span<const double> ranks,
                        absl::Span<const double> expected, double largest_distance) {
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

}  // namespace fargraph
