#ifndef FARGRAPH_GRAPH_FORMAT_NEIGHBOR_READER_H_
#define FARGRAPH_GRAPH_FORMAT_NEIGHBOR_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/codec/block_codec.h"
#include "graph/graph_files.h"
#include "graph/ids.h"

namespace fargraph {

/// Reads the neighbours of all lists of one direction front to back, in whichever form they are
/// stored. Used by one thread.
class NeighborReader {
 public:
  /// The least room that Read takes.
  static constexpr size_t kLeastRoom = kBlockEdges;

  virtual ~NeighborReader() = default;

  /// Fills the beginning of `neighbors`, which has room for at least kLeastRoom and may be written
  /// throughout; returns how many, 0 at the end. DataLoss names the file.
  virtual absl::StatusOr<size_t> Read(absl::Span<VertexId> neighbors) = 0;

  /// The file that holds them.
  virtual const ArrayFile& array() const = 0;
};

/// `files` has the direction and outlives the reader.
std::unique_ptr<NeighborReader> ReadNeighbors(const GraphFiles& files, Direction direction);

/// Reads all of them once, as ArrayFile::Scan reads an array, in blocks of the VertexId array that
/// the neighbours make; those of a compressed graph by one thread.
absl::Status ScanNeighbors(const GraphFiles& files, Direction direction, BlockVisitor at_once,
                           BlockVisitor in_order);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_FORMAT_NEIGHBOR_READER_H_
