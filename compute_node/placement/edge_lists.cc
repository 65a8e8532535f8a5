#include "compute_node/placement/edge_lists.h"

#include <algorithm>
#include <utility>

namespace fargraph {

EdgeLists::EdgeLists(VertexArray<EdgeOffset> index, ChunkTable chunks, PlacedArray edges,
                     PlacedArray weights)
    : index_(std::move(index)),
      chunks_(std::move(chunks)),
      edges_(std::move(edges)),
      weights_(std::move(weights)) {
  SortChunksByTier();
}

EdgeLists::EdgeLists(VertexArray<EdgeOffset> index, ChunkTable chunks, PlacedArray codes,
                     VertexArray<uint32_t> code_begin)
    : index_(std::move(index)),
      code_begin_(std::move(code_begin)),
      chunks_(std::move(chunks)),
      edges_(std::move(codes)) {
  SortChunksByTier();
}

void EdgeLists::SortChunksByTier() {
  local_chunks_.reserve(chunks_->size());  // what is reserved in vain is never touched
  far_chunks_.reserve(chunks_->size());
  for (size_t chunk = 0; chunk < chunks_->size(); ++chunk) {
    if (chunks_->ChunkBytes(chunk) == 0) continue;
    (Place(chunk).local != nullptr ? local_chunks_ : far_chunks_).push_back(chunk);
  }
  if (IsContiguous()) all_local_ = LocalChunk(local_chunks_.front());
}

bool EdgeLists::IsContiguous() const {
  if (compressed() || !far_chunks_.empty() || local_chunks_.empty()) return false;
  const LocalList first = LocalChunk(local_chunks_.front());
  return std::all_of(local_chunks_.begin(), local_chunks_.end(), [&](size_t chunk) {
    const LocalList expected = ListAt(first, chunks_->FirstEdge(chunk));
    const LocalList actual = LocalChunk(chunk);
    return actual.edges == expected.edges && actual.weights == expected.weights;
  });
}

EdgePiece LocalPiece(const EdgeLists& lists, size_t chunk) {
  const ChunkTable& chunks = lists.chunks();
  return {.chunk = chunk,
          .first_vertex = chunks.FirstVertex(chunk),
          .end_vertex = chunks.FirstVertex(chunk + 1),
          .begin = chunks.FirstEdge(chunk),
          .end = chunks.FirstEdge(chunk + 1),
          .elements = lists.Place(chunk).local,
          .weights = lists.has_weights() ? lists.WeightPlace(chunk).local : nullptr};
}

}  // namespace fargraph
