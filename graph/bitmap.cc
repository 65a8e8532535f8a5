#include "graph/bitmap.h"

#include <algorithm>
#include <utility>

#include "graph/in_parts.h"
#include "graph/thread_count.h"

namespace fargraph {

void Bitmap::Grow(size_t bits) {
  const VertexArray<uint64_t> before = std::exchange(words_, VertexArray<uint64_t>(WordsOf(bits)));
  std::copy(before.begin(), before.end(), words_.begin());
  bits_ = bits;
}

/// While they are in one core's cache, bits that nobody else sets take less than atomic updates.
void Bitmap::SetAll(absl::Span<const VertexId> vertices) {
  const int threads =
      std::min(ThreadCountFor(vertices.size()), ThreadCountForBytes(StorageBytes(bits_)));
  if (threads == 1) {
    for (const VertexId v : vertices) SetUnshared(v);
    return;
  }
  InParts(vertices.size(), threads,
          [&](size_t begin, size_t end) { SetShared(vertices.subspan(begin, end - begin)); });
}

/// An atomic update waits for its word, and all that follows waits for it, unless the word has come
/// before.
void Bitmap::SetShared(absl::Span<const VertexId> vertices) {
  constexpr size_t kBlock = 32;
  while (!vertices.empty()) {
    const absl::Span<const VertexId> block = vertices.first(std::min(kBlock, vertices.size()));
    for (const VertexId v : block) __builtin_prefetch(&words_[v / kWordBits], 1);
    for (const VertexId v : block) Set(v);
    vertices.remove_prefix(block.size());
  }
}

size_t Bitmap::Count() const {
  std::atomic<size_t> count = 0;
  InParts(words(), ThreadCountForBytes(StorageBytes(bits_)), [&](size_t begin, size_t end) {
    size_t of_part = 0;
    for (size_t i = begin; i < end; ++i) of_part += std::popcount(words_[i]);
    count.fetch_add(of_part, std::memory_order_relaxed);
  });
  return count;
}

}  // namespace fargraph
