#include "algorithms/verification/kcore_verifier.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "algorithms/verification/neighbors.h"
#include "algorithms/verification/verification.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

/// Takes the vertices in the order of their degrees and lowers those of neighbours with more. The
/// vertices stay sorted by degree in one array: who loses a neighbour changes places with the first
/// of its degree, which then begins one place later.
std::vector<int32_t> OrderByDegree(const Csr& neighbors) {
  std::vector<int32_t> degrees(neighbors.vertices());
  for (VertexId v = 0; v < neighbors.vertices(); ++v) degrees[v] = neighbors.degree(v);
  std::vector<VertexId> order(neighbors.vertices()), places(neighbors.vertices());
  std::iota(order.begin(), order.end(), 0);
  absl::c_stable_sort(order, [&](VertexId a, VertexId b) { return degrees[a] < degrees[b]; });
  std::vector<VertexId> first;  // by degree: the place where those with no smaller one begin
  for (VertexId place = 0; place < order.size(); ++place) {
    places[order[place]] = place;
    first.resize(std::max<size_t>(first.size(), degrees[order[place]] + 1), place);
  }
  for (const VertexId u : order) {
    for (const VertexId v : neighbors.neighbors(u)) {
      if (degrees[v] <= degrees[u]) continue;
      const VertexId other = order[first[degrees[v]]];
      std::swap(order[places[v]], order[places[other]]);
      std::swap(places[v], places[other]);
      ++first[degrees[v]--];
    }
  }
  return degrees;
}

}  // namespace

absl::Status VerifyKCore(const GraphFiles& files, const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr neighbors, LoadNeighbors(files));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const auto cores,
                            FindColumn<int32_t>(result, "core", neighbors.vertices()));

  const std::vector<int32_t> expected = OrderByDegree(neighbors);
  std::vector<uint64_t> histogram;
  for (VertexId v = 0; v < neighbors.vertices(); ++v) {
    if (cores[v] != expected[v]) return WrongNumber("core", ids, v, cores[v], expected[v]);
    if (static_cast<size_t>(expected[v]) >= histogram.size()) histogram.resize(expected[v] + 1);
    ++histogram[expected[v]];
  }
  FARGRAPH_RETURN_IF_ERROR(
      CheckAnswer(result, "max_core", histogram.empty() ? 0 : histogram.size() - 1));
  return CheckAnswer(result, "core_histogram", histogram);
}

}  // namespace fargraph
