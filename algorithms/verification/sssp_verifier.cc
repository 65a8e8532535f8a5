#include "algorithms/verification/sssp_verifier.h"

#include <bit>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/verification/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"

namespace fargraph {
namespace {

/// The distance of vertices that are not reached. Any other is less.
template <typename Sum>
constexpr Sum kUnreached = std::numeric_limits<Sum>::max();
template <>
constexpr float kUnreached<float> = std::numeric_limits<float>::infinity();

/// Sum: int64_t of int32_t weights, float of float ones.
template <typename Weight, typename Sum>
std::vector<Sum> Dijkstra(const Csr& graph, VertexId source) {
  using Entry = std::pair<Sum, VertexId>;
  std::vector<Sum> distances(graph.vertices(), kUnreached<Sum>);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  distances[source] = 0;
  queue.emplace(0, source);
  while (!queue.empty()) {
    const auto [distance, u] = queue.top();
    queue.pop();
    if (distance > distances[u]) continue;
    for (EdgeOffset edge = graph.offsets[u]; edge < graph.offsets[u + 1]; ++edge) {
      const Weight weight =
          graph.weight_bits.empty() ? 1 : std::bit_cast<Weight>(graph.weight_bits[edge]);
      const VertexId v = graph.targets[edge];
      if (distance + weight >= distances[v]) continue;
      distances[v] = distance + weight;
      queue.emplace(distances[v], v);
    }
  }
  return distances;
}

template <typename Weight, typename Sum>
absl::Status Verify(const Csr& graph, const InputIds& ids, VertexId source, Weight unreached,
                    const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const auto distances,
                            FindColumn<Weight>(result, "distance", graph.vertices()));
  const std::vector<Sum> expected = Dijkstra<Weight, Sum>(graph, source);
  uint64_t reached = 0;
  std::conditional_t<std::is_integral_v<Sum>, int64_t, double> sum = 0;
  VertexId farthest = source;
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    const bool is_reached = expected[v] < kUnreached<Sum>;
    const Weight should_be = is_reached ? static_cast<Weight>(expected[v]) : unreached;
    if (distances[v] != should_be) {
      return absl::AbortedError(absl::StrCat("vertex ", ids[v], " has distance ", distances[v],
                                             ", where the verifier finds ", should_be));
    }
    if (!is_reached) continue;
    ++reached;
    sum += expected[v];
    const bool farther = expected[v] > expected[farthest];
    if (farther || (expected[v] == expected[farthest] && v < farthest)) farthest = v;
  }
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "source", ids[source]));
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "reached", reached));
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "max_distance", distances[farthest]));
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "farthest", ids[farthest]));
  return CheckAnswer(result, "sum_distances", sum);
}

}  // namespace

absl::Status VerifySssp(const GraphFiles& files, const KernelOptions& options,
                        const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr graph, LoadCsr(files, Direction::kOut));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  const VertexId source = ExpectedSource(graph, options);
  if (files.manifest().weight_type == WeightType::kFloat32) {
    return Verify<float, float>(graph, ids, source, kUnreached<float>, result);
  }
  return Verify<int32_t, int64_t>(graph, ids, source, /*unreached=*/-1, result);
}

}  // namespace fargraph
