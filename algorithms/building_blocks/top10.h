#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_TOP10_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_TOP10_H_

#include <algorithm>
#include <vector>

#include "absl/status/statusor.h"
#include "common/status_macros.h"
#include "compute_node/engine/graph.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"
#include "nlohmann/json.hpp"

namespace fargraph {

/// For answers: the ten vertices with the highest values, as pairs of the input's id and the value,
/// the highest first and smaller vertices first among equals; all of fewer vertices. Errors of
/// reading names.
template <typename Real>
absl::StatusOr<nlohmann::ordered_json> Top10(const Graph& graph, const VertexArray<Real>& values) {
  constexpr size_t kHighest = 10;
  const auto higher = [&](VertexId a, VertexId b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  };
  std::vector<VertexId> top;
  for (VertexId v = 0; v < values.size(); ++v) {
    if (top.size() == kHighest && !higher(v, top.back())) continue;
    if (top.size() == kHighest) top.pop_back();
    top.insert(std::upper_bound(top.begin(), top.end(), v, higher), v);
  }
  nlohmann::ordered_json pairs = nlohmann::ordered_json::array();
  for (const VertexId v : top) {
    FARGRAPH_ASSIGN_OR_RETURN(const uint64_t id, graph.InputId(v));
    pairs.push_back({id, values[v]});
  }
  return pairs;
}

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_TOP10_H_
