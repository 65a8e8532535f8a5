#include "algorithms/verification/bc_verifier.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/verification/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"

namespace fargraph {
namespace {

constexpr double kLargestError = 1e-9;  // relative

bool IsNear(double actual, double expected) {
  return std::abs(actual - expected) <= kLargestError * expected;  // false for NaN
}

void AddDependencies(const Csr& graph, VertexId source, std::vector<double>& scores) {
  std::vector<int64_t> distances(graph.vertices(), -1);
  std::vector<double> paths(graph.vertices());
  std::vector<std::vector<VertexId>> predecessors(graph.vertices());
  std::vector<VertexId> visited = {source};
  distances[source] = 0;
  paths[source] = 1;
  for (size_t next = 0; next < visited.size(); ++next) {
    const VertexId v = visited[next];
    for (const VertexId w : graph.neighbors(v)) {
      if (distances[w] < 0) {
        distances[w] = distances[v] + 1;
        visited.push_back(w);
      }
      if (distances[w] != distances[v] + 1) continue;
      paths[w] += paths[v];
      predecessors[w].push_back(v);
    }
  }
  std::vector<double> dependencies(graph.vertices());
  for (; !visited.empty(); visited.pop_back()) {
    const VertexId w = visited.back();
    for (const VertexId v : predecessors[w])
      dependencies[v] += paths[v] / paths[w] * (1 + dependencies[w]);
    if (w != source) scores[w] += dependencies[w];
  }
}

}  // namespace

absl::Status VerifyBc(const GraphFiles& files, const KernelOptions& options,
                      const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr graph, LoadCsr(files, Direction::kOut));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const auto scores,
                            FindColumn<double>(result, "score", graph.vertices()));
  const std::optional<VertexId> only =
      options.sources ? std::nullopt : std::optional(ExpectedSource(graph, options));
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<VertexId> sources,
                            ReadSources(result, files.names(), only, options.sources.value_or(1)));

  std::vector<double> expected(graph.vertices());
  for (const VertexId source : sources) AddDependencies(graph, source, expected);
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    if (IsNear(scores[v], expected[v])) continue;
    return absl::AbortedError(absl::StrCat("vertex ", ids[v], " has score ", scores[v],
                                           ", where the verifier finds ", expected[v]));
  }
  const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
  FARGRAPH_RETURN_IF_ERROR(CheckAnswerNear(result, "sum", sum, kLargestError * sum));
  return CheckTop10(result, ids, scores);
}

}  // namespace fargraph
