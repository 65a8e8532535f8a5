#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_HEADS_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_HEADS_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "common/mapped_memory.h"
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
  /// The j-th neighbour of v, kNoVertex if it has none.
  VertexId At(size_t j, VertexId v) const {
    return v < columns_[j].size() ? columns_[j][v] : kNoVertex;
  }

 private:
  MappedMemory memory_;
  std::vector<absl::Span<const VertexId>> columns_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_HEADS_H_
