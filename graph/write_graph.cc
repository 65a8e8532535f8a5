#include "graph/write_graph.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/graph_directory.h"

namespace fargraph {
namespace {

InputEdge Reversed(InputEdge edge) {
  std::swap(edge.source, edge.target);
  return edge;
}

void AddReversedEdges(std::vector<InputEdge>& edges) {
  const size_t count = edges.size();
  for (size_t i = 0; i < count; ++i) {
    if (edges[i].source != edges[i].target) edges.push_back(Reversed(edges[i]));
  }
}

void SortEdges(std::vector<InputEdge>& edges) {
  std::stable_sort(edges.begin(), edges.end(), [](const InputEdge& a, const InputEdge& b) {
    return std::tie(a.source, a.target) < std::tie(b.source, b.target);
  });
}

absl::Status WriteLists(const GraphDirectory& directory, Direction direction, uint64_t vertices,
                        const std::vector<InputEdge>& sorted, WeightType weight_type,
                        ArrayHeaders& arrays) {
  const std::string index_name = IndexArray(direction);
  const std::string edges_name = EdgesArray(direction);
  FARGRAPH_ASSIGN_OR_RETURN(auto index, directory.CreateArray(index_name, ElementType::kUint64));
  FARGRAPH_ASSIGN_OR_RETURN(auto targets, directory.CreateArray(edges_name, kVertexIdType));
  size_t position = 0;
  for (uint64_t vertex = 0; vertex <= vertices; ++vertex) {
    FARGRAPH_RETURN_IF_ERROR(index.Append(EdgeOffset{position}));
    for (; position < sorted.size() && sorted[position].source == vertex; ++position) {
      FARGRAPH_RETURN_IF_ERROR(targets.Append(static_cast<VertexId>(sorted[position].target)));
    }
  }
  FARGRAPH_ASSIGN_OR_RETURN(arrays[index_name], index.Finish());
  FARGRAPH_ASSIGN_OR_RETURN(arrays[edges_name], targets.Finish());

  if (weight_type == WeightType::kNone) return absl::OkStatus();
  const std::string weights_name = WeightsArray(direction);
  FARGRAPH_ASSIGN_OR_RETURN(auto weights,
                            directory.CreateArray(weights_name, WeightElementType(weight_type)));
  for (const InputEdge& edge : sorted) {
    FARGRAPH_RETURN_IF_ERROR(weights.Append(edge.weight_bits));
  }
  FARGRAPH_ASSIGN_OR_RETURN(arrays[weights_name], weights.Finish());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<GraphManifest> WriteGraph(const std::string& output, uint64_t vertices,
                                         std::vector<InputEdge> edges,
                                         const WriteGraphOptions& options) {
  for (const InputEdge& edge : edges) {
    if (std::max(edge.source, edge.target) >= vertices) {
      return absl::InvalidArgumentError(absl::StrCat("Writing the graph ", output, ": edge ",
                                                     edge.source, " -> ", edge.target,
                                                     " is outside its ", vertices, " vertices"));
    }
  }
  FARGRAPH_ASSIGN_OR_RETURN(GraphDirectory directory,
                            GraphDirectory::Create(output, /*overwrite=*/false));
  Manifest manifest;
  GraphManifest& graph = manifest.graph;
  graph.vertices = vertices;
  graph.symmetric = options.symmetrize;
  graph.has_reverse = options.reverse && !options.symmetrize;
  graph.weight_type = options.weight_type;
  graph.source_format = "memory";
  for (const InputEdge& edge : edges) graph.self_loops += edge.source == edge.target;

  if (options.symmetrize) AddReversedEdges(edges);
  graph.edges = edges.size();
  SortEdges(edges);
  for (size_t i = 1; i < edges.size(); ++i) {
    graph.duplicates +=
        edges[i].source == edges[i - 1].source && edges[i].target == edges[i - 1].target;
  }
  FARGRAPH_RETURN_IF_ERROR(WriteLists(directory, Direction::kOut, vertices, edges,
                                      options.weight_type, manifest.arrays));
  if (graph.has_reverse) {
    for (InputEdge& edge : edges) edge = Reversed(edge);
    SortEdges(edges);
    FARGRAPH_RETURN_IF_ERROR(WriteLists(directory, Direction::kIn, vertices, edges,
                                        options.weight_type, manifest.arrays));
  }
  return directory.Commit(std::move(manifest));
}

}  // namespace fargraph
