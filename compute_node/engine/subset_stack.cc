#include "compute_node/engine/subset_stack.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "common/status_macros.h"
#include "graph/bitmap.h"

namespace fargraph {
namespace {

constexpr size_t kIdsPerWord = sizeof(uint64_t) / sizeof(VertexId);
constexpr size_t kIdsPerBlock = BlockStream::kBlockBytes / sizeof(VertexId);

std::vector<VertexId> PackBits(const Bitmap& bits) {
  std::vector<VertexId> packed(bits.words() * kIdsPerWord);
  for (size_t i = 0; i < bits.words(); ++i) {
    const uint64_t word = bits.word(i);
    std::memcpy(&packed[i * kIdsPerWord], &word, sizeof(word));
  }
  return packed;
}

Bitmap UnpackBits(VertexId vertices, absl::Span<const VertexId> packed) {
  Bitmap bits(vertices);
  for (size_t i = 0; i < bits.words(); ++i) {
    uint64_t word;
    std::memcpy(&word, &packed[i * kIdsPerWord], sizeof(word));
    bits.SetWord(i, word);
  }
  return bits;
}

/// The subset in the form that takes less.
VertexSubset Compact(VertexSubset subset) {
  if (subset.is_sparse() || subset.bitmap().words() * kIdsPerWord <= subset.size()) return subset;
  return subset.Listed();
}

}  // namespace

SubsetStack::SubsetStack(Graph& graph, absl::string_view name)
    : vertices_(graph.vertices()), far_(graph.far_state().Find(name)) {}

void SubsetStack::Push(VertexSubset subset) {
  subset = Compact(std::move(subset));
  if (far_ == nullptr) {
    local_.push_back(std::move(subset));
  } else if (subset.is_sparse()) {
    Write(subset.members(), /*is_bits=*/false);
  } else {
    Write(PackBits(subset.bitmap()), /*is_bits=*/true);
  }
}

absl::StatusOr<VertexSubset> SubsetStack::Pop() {
  if (far_ == nullptr) {
    VertexSubset subset = std::move(local_.back());
    local_.pop_back();
    return subset;
  }
  const End end = ends_.back();
  ends_.pop_back();
  std::vector<VertexId> ids((end.address - top()) / sizeof(VertexId));
  FARGRAPH_RETURN_IF_ERROR(Read(absl::MakeSpan(ids)));
  if (end.is_bits) return VertexSubset(UnpackBits(vertices_, ids));
  return VertexSubset(vertices_, std::move(ids));
}

/// Behind the others, without waiting for it: Pop tells if the tier has failed.
void SubsetStack::Write(absl::Span<const VertexId> ids, bool is_bits) {
  uint64_t address = top();
  while (!ids.empty()) {
    const absl::Span<const VertexId> block = ids.first(std::min(kIdsPerBlock, ids.size()));
    const absl::Span<std::byte> room = stream().Write(address, block.size() * sizeof(VertexId));
    std::memcpy(room.data(), block.data(), room.size());
    address += room.size();
    ids.remove_prefix(block.size());
  }
  ends_.push_back({.address = address, .is_bits = is_bits});
}

/// From the top.
absl::Status SubsetStack::Read(absl::Span<VertexId> ids) {
  FARGRAPH_RETURN_IF_ERROR(stream().End());
  FARGRAPH_RETURN_IF_ERROR(stream().Begin(top(), ids.size() * sizeof(VertexId), Pass::kRead));
  while (!ids.empty()) {
    FARGRAPH_ASSIGN_OR_RETURN(const absl::Span<const std::byte> block, stream().Next());
    std::memcpy(ids.data(), block.data(), block.size());
    ids.remove_prefix(block.size() / sizeof(VertexId));
  }
  return stream().End();
}

}  // namespace fargraph
