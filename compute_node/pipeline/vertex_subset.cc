#include "compute_node/pipeline/vertex_subset.h"

namespace fargraph {

void VertexSubset::Sort() {
  if (!is_sparse()) return;
  constexpr size_t kWordsPerMember = 64;  // are cleared in the time in which one is sorted
  auto& members = std::get<std::vector<VertexId>>(members_);
  if (members.size() * kWordsPerMember < vertices_ / 64) {
    absl::c_sort(members);
    return;
  }
  const Bitmap bits = ToBitmap();
  Bitmap words(bits.words());  // that have a bit set: most have none
  for (const VertexId v : members) words.SetUnshared(v / 64);
  auto next = members.begin();
  words.ForEachSet(0, words.size(), [&](size_t word) {
    ForEachBit(bits.word(word), [&](int bit) { *next++ = static_cast<VertexId>(word * 64 + bit); });
  });
}

}  // namespace fargraph
