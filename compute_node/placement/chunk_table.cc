#include "compute_node/placement/chunk_table.h"

#include <algorithm>

namespace fargraph {

ChunkTable::ChunkTable(absl::Span<const EdgeOffset> index, uint64_t edge_bytes,
                       uint64_t chunk_bytes)
    : edge_bytes_(edge_bytes) {
  const EdgeOffset chunk_edges = std::max<uint64_t>(1, chunk_bytes / edge_bytes);
  // What is reserved in vain is never touched.
  const uint64_t most_chunks = MostChunks(index.back() * edge_bytes, chunk_edges * edge_bytes);
  first_vertex_.reserve(most_chunks + 1);
  first_edge_.reserve(most_chunks + 1);
  const auto last = index.end() - 1;
  auto list = index.begin();
  while (list != last) {
    first_vertex_.push_back(static_cast<VertexId>(list - index.begin()));
    first_edge_.push_back(*list);
    const auto beyond = std::upper_bound(list + 1, index.end(), *list + chunk_edges);
    list = std::max(list + 1, beyond - 1);
  }
  first_vertex_.push_back(static_cast<VertexId>(last - index.begin()));
  first_edge_.push_back(*last);
}

}  // namespace fargraph
