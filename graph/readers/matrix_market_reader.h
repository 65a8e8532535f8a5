#ifndef FARGRAPH_GRAPH_READERS_MATRIX_MARKET_READER_H_
#define FARGRAPH_GRAPH_READERS_MATRIX_MARKET_READER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/edge_reader.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// True if a text begins as a MatrixMarket file does.
bool IsMatrixMarket(absl::string_view head);

/// MatrixMarket coordinate matrices, square, of pattern, integer or real values, general or
/// symmetric (https://math.nist.gov/MatrixMarket/formats.html): entry (row, column) is the edge
/// from row to column.
absl::StatusOr<std::unique_ptr<EdgeReader>> OpenMatrixMarketReader(
    std::shared_ptr<const InputFile> input);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_MATRIX_MARKET_READER_H_
