#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_EDGE_LISTS_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_EDGE_LISTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "common/memory/mapped_memory.h"
#include "compute_node/placement/chunk_table.h"
#include "graph/codec/block_codec.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"

namespace fargraph {

/// Where one chunk of an array lies: local memory, or else the far tier.
struct ChunkPlace {
  const std::byte* local = nullptr;  ///< its first element, nullptr when the chunk is far
  uint64_t far_address = 0;          ///< in the far tier's address space, when it is
};

/// An array of edges or of their weights.
struct PlacedArray {
  uint64_t element_bytes = 0;
  std::vector<ChunkPlace> places;  ///< by chunk; local ones one behind the other
  MappedMemory local;              ///< owns what the local ones point into
};

/// Where a list lies in the array that is cut into chunks: from element `begin` to before `end`.
/// Elements are edges, or bytes of code.
struct ElementRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// Where a list lies in local memory, edge by edge.
struct LocalList {
  const VertexId* edges = nullptr;     ///< nullptr when it is far, or code
  const std::byte* weights = nullptr;  ///< parallel to edges; nullptr without weights
};

/// Short lists in local memory are read as if they had this many edges, and codes in whole groups:
/// so many bytes behind either can be read, whatever they are.
inline constexpr size_t kShortList = 8;
inline constexpr uint64_t kListSlackBytes =
    std::max(kCodeSlackBytes, kShortList * sizeof(VertexId));

/// The neighbour lists of one direction as a job has placed them: the index in local memory, the
/// edges in chunks that are local or far, and the weights of a chunk where its edges are. Edges may
/// be there as codes (graph/codec/block_codec.h) instead; the chunks are then cut from their bytes,
/// and there are no weights. A job that only asks for degrees has an index without edges.
/// Immutable; any thread may read.
class EdgeLists {
 public:
  /// Index only. `index`: vertices + 1 ascending offsets, in edges.
  explicit EdgeLists(VertexArray<EdgeOffset> index);

  /// `weights`: empty where they have no weights, or nobody reads them. kListSlackBytes behind the
  /// local edges can be read, whatever they are.
  EdgeLists(VertexArray<EdgeOffset> index, ChunkTable chunks, PlacedArray edges,
            PlacedArray weights = {});

  /// Compressed. `chunks` are cut from bytes of code; `code_begin`: where in it each vertex' list
  /// begins, modulo 2^32, of vertices + 1. No list has 2^32 bytes. kCodeSlackBytes behind every
  /// local chunk can be read.
  EdgeLists(VertexArray<EdgeOffset> index, ChunkTable chunks, PlacedArray codes,
            VertexArray<uint32_t> code_begin);

  VertexId vertices() const { return static_cast<VertexId>(index_.size() - 1); }
  EdgeOffset edges() const { return index_.back(); }
  /// The edges of vertex v are [Begin(v), End(v)).
  EdgeOffset Begin(VertexId v) const { return index_[v]; }
  EdgeOffset End(VertexId v) const { return index_[v + 1]; }
  EdgeOffset Degree(VertexId v) const { return End(v) - Begin(v); }
  /// The edges of all these vertices, added up on all cores where they are many.
  EdgeOffset SumOfDegrees(absl::Span<const VertexId> vertices) const;
  /// The vertex with the longest list, the smallest of equals; 0 where there is none.
  VertexId largest() const { return largest_; }
  EdgeOffset largest_degree() const { return vertices() == 0 ? 0 : Degree(largest_); }
  /// The vertices from here on have no edges.
  VertexId end_of_lists() const { return end_of_lists_; }
  /// Where the lists of [first, end) begin, and where the last one ends.
  absl::Span<const EdgeOffset> Index(VertexId first, VertexId end) const {
    return absl::MakeConstSpan(index_).subspan(first, end - first + 1);
  }

  bool compressed() const { return code_begin_.size() > 0; }
  /// Where the list of v lies, whose chunk is `chunk`.
  ElementRange Stored(VertexId v, size_t chunk) const {
    if (!compressed()) return {Begin(v), End(v)};
    const uint64_t chunk_begin = chunks_->FirstEdge(chunk);
    const uint64_t begin =
        chunk_begin + static_cast<uint32_t>(code_begin_[v] - static_cast<uint32_t>(chunk_begin));
    return {begin, begin + static_cast<uint32_t>(code_begin_[v + 1] - code_begin_[v])};
  }

  bool has_edges() const { return chunks_.has_value(); }
  bool has_weights() const { return weight_bytes() > 0; }
  /// Of one.
  uint64_t weight_bytes() const { return weights_.element_bytes; }
  /// The weight of the edge that is so many behind the one whose weight is at `first`; nullptr
  /// stays nullptr.
  const std::byte* WeightBehind(const std::byte* first, EdgeOffset edges) const {
    return first == nullptr ? nullptr : first + edges * weight_bytes();
  }
  const ChunkTable& chunks() const { return *chunks_; }
  const ChunkPlace& Place(size_t chunk) const { return edges_.places[chunk]; }
  const ChunkPlace& WeightPlace(size_t chunk) const { return weights_.places[chunk]; }
  /// What a scan moves for an element: an edge with its weight, or a byte of code.
  uint64_t bytes_per_element() const { return chunks_->edge_bytes() + weight_bytes(); }

  /// The list of a vertex that has edges.
  LocalList FindLocal(VertexId v) const {
    if (all_local_.edges != nullptr) return ListAt(all_local_, Begin(v));
    if (compressed()) return {};
    const size_t chunk = chunks_->Find(v);
    return ListAt(LocalChunk(chunk), Begin(v) - chunks_->FirstEdge(chunk));
  }
  /// Hints of what FindLocal and a reader of the list will soon read: first the one, and when that
  /// has come the other.
  void PrefetchIndex(VertexId v) const { __builtin_prefetch(&index_[v]); }
  void PrefetchList(VertexId v) const {
    const LocalList list = ListAt(all_local_, Begin(v));
    __builtin_prefetch(list.edges);
    __builtin_prefetch(list.weights);
  }

  /// A chunk as if it were one list.
  LocalList LocalChunk(size_t chunk) const {
    const std::byte* edges = Place(chunk).local;
    return {.edges = reinterpret_cast<const VertexId*>(edges),
            .weights = has_weights() ? WeightPlace(chunk).local : nullptr};
  }

  /// The chunks that hold edges, by tier, ascending. Far ones are spread over the array where some
  /// lie on SSDs: where hubs come first, chunks at the front take longer to read than to compute on
  /// and those at the end, of many short lists, the other way round, so both should come in turn.
  const std::vector<size_t>& local_chunks() const { return local_chunks_; }
  const std::vector<size_t>& far_chunks() const { return far_chunks_; }
  /// True if some of them are on SSDs.
  bool on_ssds() const { return on_ssds_; }

 private:
  void SortChunksByTier();
  void SpreadFarChunks();
  bool IsContiguous() const;
  /// What begins at an edge of a longer run; nullptr stays nullptr.
  LocalList ListAt(const LocalList& run, EdgeOffset edge) const {
    return {.edges = run.edges == nullptr ? nullptr : run.edges + edge,
            .weights = WeightBehind(run.weights, edge)};
  }

  VertexArray<EdgeOffset> index_;
  VertexId largest_;
  VertexId end_of_lists_;
  VertexArray<uint32_t> code_begin_;  ///< empty unless compressed
  std::optional<ChunkTable> chunks_;
  PlacedArray edges_;  ///< or codes
  PlacedArray weights_;
  std::vector<size_t> local_chunks_;
  std::vector<size_t> far_chunks_;
  bool on_ssds_ = false;
  LocalList all_local_;  ///< all edges, where they lie in local memory one behind the other
};

/// A run of one chunk's elements in local memory, ready to compute on: a whole chunk, or a part of
/// a chunk that is one long list.
struct EdgePiece {
  size_t chunk = 0;
  VertexId first_vertex = 0;  ///< the vertices whose lists it holds are [first_vertex, end_vertex)
  VertexId end_vertex = 0;
  EdgeOffset begin = 0;  ///< it holds the elements [begin, end): edges, or bytes of code
  EdgeOffset end = 0;
  const std::byte* elements = nullptr;  ///< the first of them is `begin`
  const std::byte* weights = nullptr;   ///< parallel to the edges; nullptr without weights

  const VertexId* edges() const { return reinterpret_cast<const VertexId*>(elements); }
};

/// The lists of consecutive vertices, one behind the other in local memory.
struct ListRun {
  VertexId first_vertex = 0;
  absl::Span<const EdgeOffset> index;  ///< where each list begins; one more than there are lists
  const VertexId* edges = nullptr;     ///< of the first list, which begins at index[0]
  const std::byte* weights = nullptr;  ///< parallel to them; nullptr without weights

  size_t size() const { return index.size() - 1; }
  EdgeOffset edge_count() const { return index.back() - index.front(); }
};

/// All of a chunk whose elements and weights are there.
EdgePiece WholeChunk(const EdgeLists& lists, size_t chunk, const std::byte* elements,
                     const std::byte* weights);
/// All of a local chunk.
EdgePiece LocalPiece(const EdgeLists& lists, size_t chunk);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_EDGE_LISTS_H_
