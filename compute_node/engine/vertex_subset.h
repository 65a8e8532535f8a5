#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_VERTEX_SUBSET_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_VERTEX_SUBSET_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/bitmap.h"
#include "graph/ids.h"

namespace fargraph {

/// A set of vertices: the frontier of an iteration. Immutable once made; cheap to move.
class VertexSubset {
 public:
  explicit VertexSubset(VertexId vertices) : members_(vertices) {}
  /// Takes the set bits of `members`.
  explicit VertexSubset(Bitmap members) : members_(std::move(members)), size_(members_.Count()) {}

  static VertexSubset Single(VertexId vertices, VertexId member) {
    Bitmap members(vertices);
    members.Set(member);
    return VertexSubset(std::move(members));
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool Contains(VertexId vertex) const { return members_.Test(vertex); }
  const Bitmap& bitmap() const { return members_; }

 private:
  Bitmap members_;
  size_t size_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_VERTEX_SUBSET_H_
