#include "graph/write_graph.h"

#include <algorithm>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/builder.h"
#include "graph/memory_edge_reader.h"

namespace fargraph {

absl::StatusOr<GraphManifest> WriteGraph(const std::string& output, uint64_t vertices,
                                         const std::vector<InputEdge>& edges,
                                         const WriteGraphOptions& options) {
  for (const InputEdge& edge : edges) {
    if (std::max(edge.source, edge.target) >= vertices) {
      return absl::InvalidArgumentError(absl::StrCat("Writing the graph ", output, ": edge ",
                                                     edge.source, " -> ", edge.target,
                                                     " is outside its ", vertices, " vertices"));
    }
  }
  const InputProperties properties = {.format = "memory",
                                      .weight_type = options.weight_type,
                                      .declares_vertices = true,
                                      .declared_vertices = vertices};
  const auto open = [&]() -> absl::StatusOr<std::unique_ptr<EdgeReader>> {
    return std::make_unique<MemoryEdgeReader>(edges, properties);
  };
  FARGRAPH_ASSIGN_OR_RETURN(BuildReport report, BuildGraph(open, output,
                                                           {.symmetrize = options.symmetrize,
                                                            .reverse = options.reverse,
                                                            .order = VertexOrder::kInput,
                                                            .compress = options.compress}));
  return report.manifest;
}

}  // namespace fargraph
