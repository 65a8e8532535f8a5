#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_CHUNK_TABLE_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_CHUNK_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/ids.h"

namespace fargraph {

/// Cuts an edge array, or the bytes of its code, into chunks at vertex borders. A chunk is the unit
/// of placement (local or far as a whole) and of work (one thread handles it), so that a list is
/// never shared by two tiers or two threads.
///
/// A chunk holds as many whole lists as fit into `chunk_bytes`, and at least one: a longer list is
/// a chunk of its own. The cut follows from the index and `chunk_bytes` alone, so every compute
/// node cuts a graph alike. Immutable.
class ChunkTable {
 public:
  /// `index`: vertices + 1 ascending offsets, in edges. Both sizes in bytes. Of a code: offsets in
  /// bytes, and its edges, here and below, are bytes.
  ChunkTable(absl::Span<const EdgeOffset> index, uint64_t edge_bytes, uint64_t chunk_bytes);

  /// More chunks does no array have: any two that follow on each other hold more than
  /// `chunk_bytes`.
  static uint64_t MostChunks(uint64_t array_bytes, uint64_t chunk_bytes) {
    return 2 * (array_bytes / chunk_bytes) + 1;
  }

  size_t size() const { return first_vertex_.size() - 1; }

  /// The vertices of a chunk are [FirstVertex(chunk), FirstVertex(chunk + 1)).
  VertexId FirstVertex(size_t chunk) const { return first_vertex_[chunk]; }
  /// The chunk of a vertex.
  size_t Find(VertexId v) const {
    return std::upper_bound(first_vertex_.begin() + 1, first_vertex_.end() - 1, v) -
           first_vertex_.begin() - 1;
  }
  /// Its edges are [FirstEdge(chunk), FirstEdge(chunk + 1)).
  EdgeOffset FirstEdge(size_t chunk) const { return first_edge_[chunk]; }

  /// The chunk of an edge.
  size_t FindEdge(EdgeOffset edge) const {
    return std::upper_bound(first_edge_.begin() + 1, first_edge_.end() - 1, edge) -
           first_edge_.begin() - 1;
  }

  /// Of all chunks: edges, or bytes of code.
  uint64_t elements() const { return first_edge_.back(); }

  uint64_t edge_bytes() const { return edge_bytes_; }
  uint64_t ChunkBytes(size_t chunk) const {
    return (first_edge_[chunk + 1] - first_edge_[chunk]) * edge_bytes_;
  }
  uint64_t TotalBytes() const { return first_edge_.back() * edge_bytes_; }

 private:
  uint64_t edge_bytes_;
  std::vector<VertexId> first_vertex_;
  std::vector<EdgeOffset> first_edge_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_CHUNK_TABLE_H_
