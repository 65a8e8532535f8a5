#ifndef FARGRAPH_GRAPH_READERS_ADJACENCY_GRAPH_READER_H_
#define FARGRAPH_GRAPH_READERS_ADJACENCY_GRAPH_READER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/edge_reader.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// True if a text begins as a file of Ligra or Aspen does.
bool IsAdjacencyGraph(absl::string_view head);

/// The text format of Ligra, GBBS and Aspen: the word AdjacencyGraph or WeightedAdjacencyGraph, the
/// numbers of vertices and edges, the offset of every vertex's list, the targets, and in a weighted
/// graph the weights, all separated by blanks or line ends. Opening reads the offsets once, and of
/// a weighted graph everything up to the first weight with a point or an exponent.
absl::StatusOr<std::unique_ptr<EdgeReader>> OpenAdjacencyGraphReader(
    std::shared_ptr<const InputFile> input);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_ADJACENCY_GRAPH_READER_H_
