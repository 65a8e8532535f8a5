#include "graph/builder/heads_writer.h"

namespace fargraph {

absl::StatusOr<HeadsWriter> HeadsWriter::Create(const GraphDirectory& directory,
                                                Direction direction, size_t columns) {
  std::vector<Column> created;
  for (size_t i = 0; i < columns; ++i) {
    FARGRAPH_ASSIGN_OR_RETURN(ArrayWriter writer,
                              directory.CreateArray(HeadsArray(direction, i), kVertexIdType));
    created.push_back({.writer = std::move(writer)});
  }
  return HeadsWriter(direction, std::move(created));
}

absl::Status HeadsWriter::Finish(ArrayHeaders& arrays) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    FARGRAPH_ASSIGN_OR_RETURN(arrays[HeadsArray(direction_, i)], columns_[i].writer.Finish());
  }
  return absl::OkStatus();
}

}  // namespace fargraph
