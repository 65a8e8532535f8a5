#ifndef FARGRAPH_GRAPH_EDGE_READER_H_
#define FARGRAPH_GRAPH_EDGE_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/ids.h"

namespace fargraph {

/// An edge as an input file states it: in the file's own ids, which may have holes and use 64 bits.
struct InputEdge {
  uint64_t source = 0;
  uint64_t target = 0;
  uint32_t weight_bits =
      0;  ///< the bits of an int32_t or a float, by the reader's weight type; 0 without weights
};

/// What is known of an input before its edges are read.
struct InputProperties {
  std::string format;  ///< "SNAP text", "MatrixMarket", ... for people
  WeightType weight_type = WeightType::kNone;
  bool declares_vertices = false;  ///< the file states the vertex count: ids 0 to declared - 1
                                   ///< (after first_id) all exist
  uint64_t declared_vertices = 0;
  uint64_t first_id = 0;  ///< the smallest id of a format that counts from 1 (MatrixMarket)
  bool symmetric =
      false;  ///< each undirected edge stands once in the input, and means both directions
  bool both_directions =
      false;  ///< the file says that it holds each undirected edge as two directed ones (.sg)
};

/// Streams the edges of one file, forward, once. One thread calls; lines of text are parsed by all.
class EdgeReader {
 public:
  virtual ~EdgeReader() = default;

  virtual const InputProperties& properties() const = 0;

  /// Fills the beginning of `edges`; returns how many, 0 at the end. DataLoss names file, line or
  /// byte offset, and reason.
  virtual absl::StatusOr<size_t> Read(absl::Span<InputEdge> edges) = 0;
};

/// Opens a graph file of any supported format (docs/input-formats.md), plain, gzip or zstd, told
/// apart by content, never by name. NotFound when it cannot be opened, DataLoss when it is none of
/// them.
absl::StatusOr<std::unique_ptr<EdgeReader>> OpenEdgeReader(const std::string& path);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_EDGE_READER_H_
