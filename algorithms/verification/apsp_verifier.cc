#include "algorithms/verification/apsp_verifier.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/verification/serial_search.h"
#include "algorithms/verification/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"

namespace fargraph {
absl::Status VerifyApsp(const GraphFiles& files, const KernelOptions& options,
                        const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr graph, LoadCsr(files, Direction::kOut));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const auto reached_from,
                            FindColumn<int32_t>(result, "reached_from", graph.vertices()));
  FARGRAPH_ASSIGN_OR_RETURN(const auto sums,
                            FindColumn<double>(result, "sum_distances", graph.vertices()));
  FARGRAPH_ASSIGN_OR_RETURN(
      const std::vector<VertexId> sources,
      ReadSources(result, files.names(), options.source, options.sources.value_or(32)));

  std::vector<int32_t> expected_count(graph.vertices());
  std::vector<int64_t> expected_sum(graph.vertices());
  int32_t largest = 0;
  for (const VertexId source : sources) {
    SearchSerially(graph, source, [&](VertexId v, int32_t distance) {
      ++expected_count[v];
      expected_sum[v] += distance;
      largest = std::max(largest, distance);
    });
  }
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    if (reached_from[v] != expected_count[v])
      return WrongNumber("sources that reach it", ids, v, reached_from[v], expected_count[v]);
    if (sums[v] == static_cast<double>(expected_sum[v])) continue;
    return absl::AbortedError(absl::StrCat("vertex ", ids[v], " has a sum of distances of ",
                                           sums[v], ", where the verifier finds ",
                                           expected_sum[v]));
  }
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "max_distance", largest));
  const auto pairs = std::accumulate(expected_count.begin(), expected_count.end(), uint64_t{0});
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "pairs", pairs));
  const auto sum = std::accumulate(expected_sum.begin(), expected_sum.end(), int64_t{0});
  return CheckAnswer(result, "sum_distances", static_cast<double>(sum));
}

}  // namespace fargraph
