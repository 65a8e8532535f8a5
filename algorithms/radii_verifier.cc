#include "algorithms/radii_verifier.h"

#include <algorithm>
#include <vector>

#include "algorithms/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"

namespace fargraph {
namespace {

/// Raises each radius to the distance from `source`.
void RaiseToDistances(const Csr& graph, VertexId source, std::vector<int32_t>& radii) {
  std::vector<bool> seen(graph.vertices());
  std::vector<VertexId> level = {source};
  seen[source] = true;
  for (int32_t distance = 0; !level.empty(); ++distance) {
    std::vector<VertexId> next;
    for (const VertexId u : level) {
      radii[u] = std::max(radii[u], distance);
      for (const VertexId v : graph.neighbors(u)) {
        if (seen[v]) continue;
        seen[v] = true;
        next.push_back(v);
      }
    }
    level.swap(next);
  }
}

}  // namespace

absl::Status VerifyRadii(const GraphFiles& files, const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr graph, LoadCsr(files, Direction::kOut));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const auto radii,
                            FindColumn<int32_t>(result, "radius", graph.vertices()));
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<VertexId> samples,
                            ReadSample(result, "samples", files.names(), 64));

  std::vector<int32_t> expected(graph.vertices(), -1);
  for (const VertexId sample : samples) RaiseToDistances(graph, sample, expected);
  int32_t estimate = 0;
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    if (radii[v] != expected[v]) return WrongNumber("radius", ids, v, radii[v], expected[v]);
    estimate = std::max(estimate, expected[v]);
  }
  return CheckAnswer(result, "estimate", estimate);
}

}  // namespace fargraph
