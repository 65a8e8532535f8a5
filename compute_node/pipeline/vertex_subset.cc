#include "compute_node/pipeline/vertex_subset.h"

namespace fargraph {

void VertexSubset::Sort() {
  if (!is_sparse()) return;
  constexpr size_t kWordsPerMember = 32;  // are walked in the time in which one is sorted
  auto& members = std::get<std::vector<VertexId>>(members_);
  if (members.size() * kWordsPerMember < vertices_ / 64) {
    absl::c_sort(members);
    return;
  }
  const Bitmap bits = ToBitmap();
  auto next = members.begin();
  bits.ForEachSet(0, bits.size(), [&](size_t v) { *next++ = static_cast<VertexId>(v); });
}

}  // namespace fargraph
