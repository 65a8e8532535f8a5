#include "compute_node/placement/edge_lists.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "compute_node/placement/spread_order.h"
#include "compute_node/tiers/far_space.h"
#include "graph/in_parts.h"
#include "graph/thread_count.h"

namespace fargraph {
namespace {

/// The list with most elements, the first of equals.
VertexId FindLargest(absl::Span<const EdgeOffset> index) {
  const auto vertices = static_cast<VertexId>(index.size() - 1);
  const auto length = [&](VertexId v) { return index[v + 1] - index[v]; };
  VertexId largest = 0;
#pragma omp parallel
  {
    VertexId mine = 0;
#pragma omp for schedule(static) nowait
    for (VertexId v = 0; v < vertices; ++v) {
      if (length(v) > length(mine)) mine = v;
    }
#pragma omp critical
    if (vertices > 0 &&
        (length(mine) > length(largest) || (length(mine) == length(largest) && mine < largest))) {
      largest = mine;
    }
  }
  return largest;
}

VertexId FindEndOfLists(absl::Span<const EdgeOffset> index) {
  return static_cast<VertexId>(std::lower_bound(index.begin(), index.end(), index.back()) -
                               index.begin());
}

}  // namespace

EdgeLists::EdgeLists(VertexArray<EdgeOffset> index)
    : index_(std::move(index)),
      largest_(FindLargest(index_)),
      end_of_lists_(FindEndOfLists(index_)) {}

EdgeLists::EdgeLists(VertexArray<EdgeOffset> index, ChunkTable chunks, PlacedArray edges,
                     PlacedArray weights)
    : index_(std::move(index)),
      largest_(FindLargest(index_)),
      end_of_lists_(FindEndOfLists(index_)),
      chunks_(std::move(chunks)),
      edges_(std::move(edges)),
      weights_(std::move(weights)) {
  SortChunksByTier();
}

EdgeLists::EdgeLists(VertexArray<EdgeOffset> index, ChunkTable chunks, PlacedArray codes,
                     VertexArray<uint32_t> code_begin)
    : index_(std::move(index)),
      largest_(FindLargest(index_)),
      end_of_lists_(FindEndOfLists(index_)),
      code_begin_(std::move(code_begin)),
      chunks_(std::move(chunks)),
      edges_(std::move(codes)) {
  SortChunksByTier();
}

EdgeOffset EdgeLists::SumOfDegrees(absl::Span<const VertexId> vertices) const {
  std::atomic<EdgeOffset> sum = 0;
  InParts(vertices.size(), ThreadCountFor(vertices.size()), [&](size_t begin, size_t end) {
    EdgeOffset of_part = 0;
    for (const VertexId v : vertices.subspan(begin, end - begin)) of_part += Degree(v);
    sum.fetch_add(of_part, std::memory_order_relaxed);
  });
  return sum;
}

void EdgeLists::SortChunksByTier() {
  local_chunks_.reserve(chunks_->size());  // what is reserved in vain is never touched
  far_chunks_.reserve(chunks_->size());
  for (size_t chunk = 0; chunk < chunks_->size(); ++chunk) {
    if (chunks_->ChunkBytes(chunk) == 0) continue;
    (Place(chunk).local != nullptr ? local_chunks_ : far_chunks_).push_back(chunk);
  }
  if (IsContiguous()) all_local_ = LocalChunk(local_chunks_.front());
  on_ssds_ = std::any_of(far_chunks_.begin(), far_chunks_.end(),
                         [&](size_t chunk) { return IsOnSsd(Place(chunk).far_address); });
  if (on_ssds_) SpreadFarChunks();
}

void EdgeLists::SpreadFarChunks() {
  const std::vector<size_t> ascending = std::move(far_chunks_);
  far_chunks_ = SpreadOrder(ascending.size());
  for (size_t& chunk : far_chunks_) chunk = ascending[chunk];
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

EdgePiece WholeChunk(const EdgeLists& lists, size_t chunk, const std::byte* elements,
                     const std::byte* weights) {
  const ChunkTable& chunks = lists.chunks();
  return {.chunk = chunk,
          .first_vertex = chunks.FirstVertex(chunk),
          .end_vertex = chunks.FirstVertex(chunk + 1),
          .begin = chunks.FirstEdge(chunk),
          .end = chunks.FirstEdge(chunk + 1),
          .elements = elements,
          .weights = weights};
}

EdgePiece LocalPiece(const EdgeLists& lists, size_t chunk) {
  return WholeChunk(lists, chunk, lists.Place(chunk).local,
                    lists.has_weights() ? lists.WeightPlace(chunk).local : nullptr);
}

}  // namespace fargraph
