#include "algorithms/building_blocks/search_source.h"

#include "absl/strings/str_cat.h"

namespace fargraph {

absl::StatusOr<VertexId> SourceOf(const Graph& graph, const KernelOptions& options,
                                  absl::string_view kernel) {
  if (graph.vertices() == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(kernel, " has nowhere to start: the graph has no vertices"));
  }
  return options.source.value_or(graph.Lists(Direction::kOut).largest());
}

}  // namespace fargraph
