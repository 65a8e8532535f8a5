#ifndef FARGRAPH_GRAPH_READERS_SNAP_READER_H_
#define FARGRAPH_GRAPH_READERS_SNAP_READER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "graph/edge_reader.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// SNAP text: an edge a line, `source target` or `source target weight`, with comments. Opening
/// reads as far as it takes to know the type of the weights: to the first edge without weights, to
/// the first weight with a point or an exponent, or through the file.
absl::StatusOr<std::unique_ptr<EdgeReader>> OpenSnapReader(std::shared_ptr<const InputFile> input);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_SNAP_READER_H_
