#include "graph/builder/code_writer.h"

#include "absl/types/span.h"

namespace fargraph {

absl::StatusOr<CodeWriter> CodeWriter::Create(const GraphDirectory& directory,
                                              Direction direction) {
  FARGRAPH_ASSIGN_OR_RETURN(ArrayWriter codes,
                            directory.CreateArray(CodesArray(direction), kCodeType));
  FARGRAPH_ASSIGN_OR_RETURN(ArrayWriter index,
                            directory.CreateArray(CodeIndexArray(direction), ElementType::kUint64));
  return CodeWriter(direction, std::move(codes), std::move(index));
}

absl::Status CodeWriter::BeginListsUpTo(uint64_t vertex) {
  FARGRAPH_RETURN_IF_ERROR(FlushBlock());
  for (; next_vertex_ <= vertex; ++next_vertex_) {
    FARGRAPH_RETURN_IF_ERROR(index_.Append(code_bytes_));
  }
  return absl::OkStatus();
}

/// The block is the last list's that has begun.
absl::Status CodeWriter::FlushBlock() {
  if (block_.empty()) return absl::OkStatus();
  const size_t bytes = EncodeBlock(static_cast<VertexId>(next_vertex_ - 1), block_, code_.data());
  block_.clear();
  code_bytes_ += bytes;
  return codes_.AppendBytes(absl::MakeConstSpan(code_).first(bytes));
}

absl::Status CodeWriter::Finish(uint64_t vertices, ArrayHeaders& arrays) {
  FARGRAPH_RETURN_IF_ERROR(BeginListsUpTo(vertices));
  FARGRAPH_ASSIGN_OR_RETURN(arrays[CodesArray(direction_)], codes_.Finish());
  FARGRAPH_ASSIGN_OR_RETURN(arrays[CodeIndexArray(direction_)], index_.Finish());
  return absl::OkStatus();
}

}  // namespace fargraph
