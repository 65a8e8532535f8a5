#include "algorithms/verification/radii_verifier.h"

#include <algorithm>
#include <vector>

#include "algorithms/verification/serial_search.h"
#include "algorithms/verification/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"

namespace fargraph {

absl::Status VerifyRadii(const GraphFiles& files, const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr graph, LoadCsr(files, Direction::kOut));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const auto radii,
                            FindColumn<int32_t>(result, "radius", graph.vertices()));
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<VertexId> samples,
                            ReadSample(result, "samples", files.names(), 64));

  std::vector<int32_t> expected(graph.vertices(), -1);
  for (const VertexId sample : samples) {
    SearchSerially(graph, sample, [&](VertexId v, int32_t distance) {
      expected[v] = std::max(expected[v], distance);
    });
  }
  int32_t estimate = 0;
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    if (radii[v] != expected[v]) return WrongNumber("radius", ids, v, radii[v], expected[v]);
    estimate = std::max(estimate, expected[v]);
  }
  return CheckAnswer(result, "estimate", estimate);
}

}  // namespace fargraph
