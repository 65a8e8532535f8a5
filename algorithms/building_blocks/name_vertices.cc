#include "algorithms/building_blocks/name_vertices.h"

#include <cstdint>

#include "common/status_macros.h"

namespace fargraph {

absl::StatusOr<nlohmann::ordered_json> NameVertices(const Graph& graph,
                                                    absl::Span<const VertexId> vertices) {
  nlohmann::ordered_json ids = nlohmann::ordered_json::array();
  for (const VertexId v : vertices) {
    FARGRAPH_ASSIGN_OR_RETURN(const uint64_t id, graph.InputId(v));
    ids.push_back(id);
  }
  return ids;
}

}  // namespace fargraph
