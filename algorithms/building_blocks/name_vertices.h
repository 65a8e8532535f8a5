#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_NAME_VERTICES_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_NAME_VERTICES_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/engine/graph.h"
#include "graph/ids.h"
#include "nlohmann/json.hpp"

namespace fargraph {

/// For answers: the input's ids of these vertices, in their order. Errors of reading names.
absl::StatusOr<nlohmann::ordered_json> NameVertices(const Graph& graph,
                                                    absl::Span<const VertexId> vertices);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_NAME_VERTICES_H_
