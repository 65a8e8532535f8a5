#include "algorithms/radii_verifier.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"
#include "graph/vertex_names.h"

namespace fargraph {
namespace {

/// The vertices that the answer names: 64 different ones, or all of a smaller graph.
absl::StatusOr<std::vector<VertexId>> ReadSamples(const KernelResult& result,
                                                  const VertexNames& names) {
  std::set<VertexId> samples;
  const auto named = result.answer.value("samples", nlohmann::ordered_json::array());
  for (const auto& id : named) {
    std::optional<VertexId> sample;
    if (id.is_number_integer()) {
      FARGRAPH_ASSIGN_OR_RETURN(sample, names.Find(id.get<uint64_t>()));
    }
    if (!sample) {
      return absl::AbortedError(
          absl::StrCat("the sample holds ", id.dump(), ", which is no vertex of the graph"));
    }
    samples.insert(*sample);
  }
  const uint64_t expected = std::min<uint64_t>(64, names.vertices());
  if (samples.size() != expected || named.size() != expected) {
    return absl::AbortedError(absl::StrCat("the sample holds ", samples.size(),
                                           " different vertices in ", named.size(),
                                           " places, where there are to be ", expected));
  }
  return std::vector<VertexId>(samples.begin(), samples.end());
}

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
                            ReadSamples(result, files.names()));

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
