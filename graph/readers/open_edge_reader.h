#ifndef FARGRAPH_GRAPH_READERS_OPEN_EDGE_READER_H_
#define FARGRAPH_GRAPH_READERS_OPEN_EDGE_READER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "graph/edge_reader.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// OpenEdgeReader of an input that need not be a file.
absl::StatusOr<std::unique_ptr<EdgeReader>> OpenEdgeReader(std::shared_ptr<const InputFile> input);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_OPEN_EDGE_READER_H_
