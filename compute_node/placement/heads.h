#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_HEADS_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_HEADS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "common/memory/mapped_memory.h"
#include "graph/bitmap.h"
#include "graph/ids.h"

namespace fargraph {

/// The heads of the lists of one direction: the first few neighbours of every vertex, always in
/// local memory beside the lists, which hold them too. Lists are hub-first in a degree-ordered
/// graph, so the heads alone answer most of a pull and of a sampling kernel; what is left to read
/// of a list are the neighbours from columns() on, its tail. Immutable; any thread may read.
class Heads {
 public:
  /// None.
  Heads() = default;
  /// `columns[j]`, in `memory`, holds the j-th neighbour of the vertices [0, columns[j].size()), or
  /// kNoVertex; the vertices after them have no more than j neighbours.
  Heads(MappedMemory memory, std::vector<absl::Span<const VertexId>> columns)
      : memory_(std::move(memory)), columns_(std::move(columns)) {}

  size_t columns() const { return columns_.size(); }
  uint64_t bytes() const {
    uint64_t bytes = 0;
    for (const auto& column : columns_) bytes += column.size() * sizeof(VertexId);
    return bytes;
  }
  /// The j-th neighbour of v, kNoVertex if it has none.
  VertexId At(size_t j, VertexId v) const {
    return v < columns_[j].size() ? columns_[j][v] : kNoVertex;
  }

  struct Hits {
    uint64_t hits = 0;   ///< vertices whose j-th neighbour is in the set
    uint64_t ended = 0;  ///< vertices without a j-th neighbour
  };
  /// Looks up in `set` the j-th neighbours of those of the vertices [first, first + 64) whose bits
  /// are in `vertices`.
  Hits Probe(size_t j, VertexId first, uint64_t vertices, const Bitmap& set) const;

 private:
  MappedMemory memory_;
  std::vector<absl::Span<const VertexId>> columns_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_HEADS_H_
