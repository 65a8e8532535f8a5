#ifndef FARGRAPH_GRAPH_BUILDER_HEADS_WRITER_H_
#define FARGRAPH_GRAPH_BUILDER_HEADS_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/status_macros.h"
#include "graph/format/graph_directory.h"
#include "graph/ids.h"

namespace fargraph {

/// Writes the heads of one direction: column j holds the j-th neighbour of every vertex, kNoVertex
/// where there is none, up to the last vertex that has one. Used by one thread.
class HeadsWriter {
 public:
  /// Creates `columns` arrays.
  static absl::StatusOr<HeadsWriter> Create(const GraphDirectory& directory, Direction direction,
                                            size_t columns);

  size_t columns() const { return columns_.size(); }

  /// The neighbour at `position` of the vertex' list, `position` below columns(). Vertices come in
  /// ascending order.
  absl::Status Append(VertexId vertex, size_t position, VertexId neighbor) {
    Column& column = columns_[position];
    for (; column.length < vertex; ++column.length) {
      FARGRAPH_RETURN_IF_ERROR(column.writer.Append(kNoVertex));
    }
    ++column.length;
    return column.writer.Append(neighbor);
  }

  /// Adds the finished arrays to `arrays`. The last call.
  absl::Status Finish(ArrayHeaders& arrays);

 private:
  struct Column {
    ArrayWriter writer;
    uint64_t length = 0;
  };

  HeadsWriter(Direction direction, std::vector<Column> columns)
      : direction_(direction), columns_(std::move(columns)) {}

  Direction direction_;
  std::vector<Column> columns_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_HEADS_WRITER_H_
