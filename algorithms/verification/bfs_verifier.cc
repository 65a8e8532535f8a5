#include "algorithms/verification/bfs_verifier.h"

#include <algorithm>
#include <queue>
#include <vector>

#include "algorithms/verification/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"

namespace fargraph {
namespace {

std::vector<int32_t> QueueSearch(const Csr& graph, VertexId source) {
  std::vector<int32_t> levels(graph.vertices(), -1);
  std::queue<VertexId> queue({source});
  levels[source] = 0;
  while (!queue.empty()) {
    const VertexId u = queue.front();
    queue.pop();
    for (const VertexId v : graph.neighbors(u)) {
      if (levels[v] >= 0) continue;
      levels[v] = levels[u] + 1;
      queue.push(v);
    }
  }
  return levels;
}

std::vector<VertexId> SmallestParents(const Csr& graph, VertexId source,
                                      const std::vector<int32_t>& levels) {
  std::vector<VertexId> parents(graph.vertices(), kNoVertex);
  parents[source] = source;
  for (VertexId u = 0; u < graph.vertices(); ++u) {
    if (levels[u] < 0) continue;
    for (const VertexId v : graph.neighbors(u)) {
      if (levels[v] == levels[u] + 1) parents[v] = std::min(parents[v], u);
    }
  }
  return parents;
}

std::vector<uint64_t> LevelHistogram(const std::vector<int32_t>& levels) {
  std::vector<uint64_t> histogram(1 + *std::max_element(levels.begin(), levels.end()));
  for (const int32_t level : levels) {
    if (level >= 0) ++histogram[level];
  }
  return histogram;
}

}  // namespace

absl::Status VerifyBfs(const GraphFiles& files, const KernelOptions& options,
                       const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr graph, LoadCsr(files, Direction::kOut));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const auto levels,
                            FindColumn<int32_t>(result, "level", graph.vertices()));
  FARGRAPH_ASSIGN_OR_RETURN(const auto parents,
                            FindColumn<VertexId>(result, "parent", graph.vertices()));

  const VertexId source = ExpectedSource(graph, options);
  const std::vector<int32_t> expected_levels = QueueSearch(graph, source);
  const std::vector<VertexId> expected_parents = SmallestParents(graph, source, expected_levels);
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    if (levels[v] != expected_levels[v])
      return WrongNumber("level", ids, v, levels[v], expected_levels[v]);
    if (parents[v] != expected_parents[v])
      return WrongVertex("parent", ids, v, parents[v], expected_parents[v]);
  }

  const std::vector<uint64_t> histogram = LevelHistogram(expected_levels);
  const uint64_t reached = graph.vertices() - std::count(levels.begin(), levels.end(), -1);
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "source", ids[source]));
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "reached", reached));
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "levels", histogram.size()));
  return CheckAnswer(result, "level_histogram", histogram);
}

}  // namespace fargraph
