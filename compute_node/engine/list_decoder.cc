#include "compute_node/engine/list_decoder.h"

namespace fargraph {

bool ListDecoder::DecodeBlockOf(VertexId vertex, size_t edges, absl::Span<const std::byte>& code) {
  if (begun_.empty()) {
    const size_t bytes = DecodeBlock(vertex, code, edges, neighbors_.data());
    if (bytes == 0) begun_.assign(code.begin(), code.end());
    code.remove_prefix(bytes == 0 ? code.size() : bytes);
    return bytes > 0;
  }
  // Put together what the parts hold of the block.
  const size_t before = begun_.size();
  const size_t taken = std::min(code.size(), MaxBlockBytes(edges) - before);
  begun_.insert(begun_.end(), code.begin(), code.begin() + taken);
  begun_.resize(before + taken + kCodeSlackBytes);
  const size_t bytes = DecodeBlock(vertex, absl::MakeConstSpan(begun_).first(before + taken), edges,
                                   neighbors_.data());
  if (bytes == 0) {
    begun_.resize(before + taken);
    code.remove_prefix(taken);
    return false;
  }
  begun_.clear();
  code.remove_prefix(bytes - before);
  return true;
}

}  // namespace fargraph
