#ifndef FARGRAPH_GRAPH_BUILDER_CODE_WRITER_H_
#define FARGRAPH_GRAPH_BUILDER_CODE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/status_macros.h"
#include "graph/codec/block_codec.h"
#include "graph/format/graph_directory.h"
#include "graph/ids.h"

namespace fargraph {

/// Writes the lists of one direction as codes, block by block as they fill, and where each begins.
/// Used by one thread.
class CodeWriter {
 public:
  static absl::StatusOr<CodeWriter> Create(const GraphDirectory& directory, Direction direction);

  /// Vertices come in ascending order, and the neighbours of each.
  absl::Status Append(VertexId vertex, VertexId neighbor) {
    if (next_vertex_ <= vertex) FARGRAPH_RETURN_IF_ERROR(BeginListsUpTo(vertex));
    if (block_.size() == kBlockEdges) FARGRAPH_RETURN_IF_ERROR(FlushBlock());
    block_.push_back(neighbor);
    return absl::OkStatus();
  }

  /// Adds the finished arrays of a graph of so many vertices to `arrays`. The last call.
  absl::Status Finish(uint64_t vertices, ArrayHeaders& arrays);

 private:
  CodeWriter(Direction direction, ArrayWriter codes, ArrayWriter index)
      : direction_(direction),
        codes_(std::move(codes)),
        index_(std::move(index)),
        code_(MaxBlockBytes(kBlockEdges)) {
    block_.reserve(kBlockEdges);
  }

  absl::Status BeginListsUpTo(uint64_t vertex);
  absl::Status FlushBlock();

  Direction direction_;
  ArrayWriter codes_;
  ArrayWriter index_;
  std::vector<std::byte> code_;  // room for a block
  std::vector<VertexId> block_;  // the latest of the list that grows
  uint64_t code_bytes_ = 0;      // written
  uint64_t next_vertex_ = 0;     // the first whose list has not begun
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_CODE_WRITER_H_
