#include "compute_node/engine/subset_stack.h"

#include <cstdint>
#include <cstring>

#include "common/status_macros.h"

namespace fargraph {
namespace {

constexpr size_t kIdsPerWord = sizeof(uint64_t) / sizeof(VertexId);

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

std::vector<VertexId> MembersOf(const VertexSubset& subset) {
  std::vector<VertexId> members;
  members.reserve(subset.size());
  subset.ForEach(0, subset.vertices(), [&](VertexId v) { members.push_back(v); });
  return members;
}

}  // namespace

absl::StatusOr<SubsetStack> SubsetStack::Make(Graph& graph, absl::string_view name, VertexId end) {
  FARGRAPH_ASSIGN_OR_RETURN(auto array, SequentialArray<VertexId>::Make(graph, name, 0, end));
  return SubsetStack(graph.vertices(), std::move(array));
}

absl::Status SubsetStack::Push(const VertexSubset& subset) {
  if (subset.is_sparse()) return Append(subset.members(), /*is_bits=*/false);
  if (subset.bitmap().words() * kIdsPerWord <= subset.size())
    return Append(PackBits(subset.bitmap()), /*is_bits=*/true);
  return Append(MembersOf(subset), /*is_bits=*/false);
}

absl::Status SubsetStack::Append(absl::Span<const VertexId> ids, bool is_bits) {
  FARGRAPH_RETURN_IF_ERROR(array_.Put(top(), ids));
  ends_.push_back({.position = top() + ids.size(), .is_bits = is_bits});
  return absl::OkStatus();
}

absl::StatusOr<VertexSubset> SubsetStack::Pop() {
  const End end = ends_.back();
  ends_.pop_back();
  std::vector<VertexId> ids(end.position - top());
  FARGRAPH_RETURN_IF_ERROR(array_.Get(top(), absl::MakeSpan(ids)));
  if (end.is_bits) return VertexSubset(UnpackBits(vertices_, ids));
  return VertexSubset(vertices_, std::move(ids));
}

}  // namespace fargraph
