#include "compute_node/pipeline/vertex_subset.h"

#include "compute_node/pipeline/list_in_parts.h"
#include "graph/thread_count.h"

namespace fargraph {

VertexSubset VertexSubset::Listed() const {
  const Bitmap& bits = bitmap();
  const int threads = ThreadCountForBytes(Bitmap::StorageBytes(vertices_));
  const auto list = [&](size_t begin, size_t end, std::vector<VertexId>& members) {
    bits.ForEachSet(begin * 64, std::min<size_t>(end * 64, vertices_),
                    [&](size_t v) { members.push_back(static_cast<VertexId>(v)); });
  };
  return VertexSubset(vertices_, ListInParts(bits.words(), threads, size_, list));
}

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
  const auto list = [&](size_t begin, size_t end, std::vector<VertexId>& sorted) {
    words.ForEachSet(begin, end, [&](size_t word) {
      ForEachBit(bits.word(word),
                 [&](int bit) { sorted.push_back(static_cast<VertexId>(word * 64 + bit)); });
    });
  };
  members = ListInParts(words.size(), ThreadCountFor(size_), size_, list);
}

}  // namespace fargraph
