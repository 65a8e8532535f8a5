#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_EDGE_LISTS_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_EDGE_LISTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/mapped_memory.h"
#include "compute_node/placement/chunk_table.h"
#include "graph/ids.h"

namespace fargraph {

/// Where one chunk of an array lies: local memory, or else the far tier.
struct ChunkPlace {
  const std::byte* local = nullptr;  ///< its first element, nullptr when the chunk is far
  uint64_t far_address = 0;          ///< in the far tier's address space, when it is
};

/// An array of edges or of their weights.
struct PlacedArray {
  std::vector<ChunkPlace> places;  ///< by chunk
  MappedMemory local;              ///< owns what the local ones point into
};

/// The neighbour lists of one direction as a job has placed them: the index in local memory, the
/// edges in chunks that are local or far, and the weights of a chunk where its edges are. A job
/// that only asks for degrees has an index without edges. Immutable; any thread may read.
class EdgeLists {
 public:
  /// Index only. `index`: vertices + 1 ascending offsets, in edges.
  explicit EdgeLists(std::vector<EdgeOffset> index) : index_(std::move(index)) {}

  /// `weights`: empty where they have no weights, or nobody reads them.
  EdgeLists(std::vector<EdgeOffset> index, ChunkTable chunks, PlacedArray edges,
            PlacedArray weights = {});

  VertexId vertices() const { return static_cast<VertexId>(index_.size() - 1); }
  EdgeOffset edges() const { return index_.back(); }
  /// The edges of vertex v are [Begin(v), End(v)).
  EdgeOffset Begin(VertexId v) const { return index_[v]; }
  EdgeOffset End(VertexId v) const { return index_[v + 1]; }
  EdgeOffset Degree(VertexId v) const { return End(v) - Begin(v); }

  bool has_edges() const { return chunks_.has_value(); }
  bool has_weights() const { return !weights_.places.empty(); }
  const ChunkTable& chunks() const { return *chunks_; }
  const ChunkPlace& Place(size_t chunk) const { return edges_.places[chunk]; }
  const ChunkPlace& WeightPlace(size_t chunk) const { return weights_.places[chunk]; }
  /// What a scan moves for an edge: its vertex and its weight.
  uint64_t bytes_per_edge() const {
    return chunks_->edge_bytes() + (has_weights() ? kWeightBytes : 0);
  }

  /// The chunks that hold edges, by tier, ascending.
  const std::vector<size_t>& local_chunks() const { return local_chunks_; }
  const std::vector<size_t>& far_chunks() const { return far_chunks_; }

 private:
  std::vector<EdgeOffset> index_;
  std::optional<ChunkTable> chunks_;
  PlacedArray edges_;
  PlacedArray weights_;
  std::vector<size_t> local_chunks_;
  std::vector<size_t> far_chunks_;
};

/// A run of one chunk's edges in local memory, ready to compute on: a whole chunk, or a part of a
/// chunk that is one long list.
struct EdgePiece {
  size_t chunk = 0;
  VertexId first_vertex = 0;  ///< the vertices whose lists it holds are [first_vertex, end_vertex)
  VertexId end_vertex = 0;
  EdgeOffset begin = 0;  ///< it holds the edges [begin, end)
  EdgeOffset end = 0;
  const VertexId* edges = nullptr;     ///< edges[0] is edge `begin`
  const std::byte* weights = nullptr;  ///< parallel to edges; nullptr without weights
};

/// All of a local chunk.
EdgePiece LocalPiece(const EdgeLists& lists, size_t chunk);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_EDGE_LISTS_H_
