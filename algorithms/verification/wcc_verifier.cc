#include "algorithms/verification/wcc_verifier.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/verification/neighbors.h"
#include "algorithms/verification/verification.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

/// A vertex for each vertex's component: floods from every vertex, in ascending order, that no
/// earlier flood has met.
std::vector<VertexId> FloodComponents(const Csr& neighbors) {
  std::vector<VertexId> components(neighbors.vertices(), kNoVertex);
  std::vector<VertexId> stack;
  for (VertexId smallest = 0; smallest < neighbors.vertices(); ++smallest) {
    const auto meet = [&](VertexId v) {
      if (components[v] != kNoVertex) return;
      components[v] = smallest;
      stack.push_back(v);
    };
    meet(smallest);
    while (!stack.empty()) {
      const VertexId u = stack.back();
      stack.pop_back();
      for (const VertexId v : neighbors.neighbors(u)) meet(v);
    }
  }
  return components;
}

/// The same components, each under its vertex with the smallest id in the input.
std::vector<VertexId> NamedBySmallestId(std::vector<VertexId> components, const InputIds& ids) {
  std::vector<VertexId> names(components.size(), kNoVertex);
  for (VertexId v = 0; v < components.size(); ++v) {
    VertexId& name = names[components[v]];
    if (name == kNoVertex || ids[v] < ids[name]) name = v;
  }
  for (VertexId& component : components) component = names[component];
  return components;
}

}  // namespace

absl::Status VerifyWcc(const GraphFiles& files, const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr neighbors, LoadNeighbors(files));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(files));
  FARGRAPH_ASSIGN_OR_RETURN(const auto components,
                            FindColumn<VertexId>(result, "component", neighbors.vertices()));

  const std::vector<VertexId> expected = NamedBySmallestId(FloodComponents(neighbors), ids);
  for (VertexId v = 0; v < neighbors.vertices(); ++v) {
    if (components[v] != expected[v])
      return WrongVertex("component", ids, v, components[v], expected[v]);
  }

  std::vector<uint64_t> sizes(neighbors.vertices());
  for (const VertexId component : expected) ++sizes[component];
  const auto largest = std::max_element(sizes.begin(), sizes.end());
  const uint64_t empty = std::count(sizes.begin(), sizes.end(), 0);
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "components", sizes.size() - empty));
  if (largest == sizes.end()) return CheckAnswer(result, "largest", 0);
  FARGRAPH_RETURN_IF_ERROR(CheckAnswer(result, "largest", *largest));
  return CheckAnswer(result, "largest_id", ids[largest - sizes.begin()]);
}

}  // namespace fargraph
