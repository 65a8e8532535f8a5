#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_VERTEX_MAP_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_VERTEX_MAP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/bitmap.h"
#include "compute_node/engine/vertex_subset.h"
#include "graph/ids.h"

namespace fargraph {

/// Calls visit(v) for every vertex of [0, vertices), on all cores.
template <typename Visit>
void VertexMap(VertexId vertices, Visit&& visit) {
#pragma omp parallel for schedule(static)
  for (VertexId v = 0; v < vertices; ++v) visit(v);
}

/// Calls visit(v) for every member of `subset`, on all cores.
template <typename Visit>
void VertexMap(const VertexSubset& subset, Visit&& visit) {
  const size_t vertices = subset.bitmap().size();
  constexpr size_t kVerticesPerTask = 64 * 64;
#pragma omp parallel for schedule(dynamic)
  for (size_t begin = 0; begin < vertices; begin += kVerticesPerTask) {
    subset.bitmap().ForEachSet(begin, std::min(begin + kVerticesPerTask, vertices), visit);
  }
}

/// The vertices of [0, vertices) for which keep(v) is true, tried on all cores.
template <typename Keep>
VertexSubset VertexFilter(VertexId vertices, Keep&& keep) {
  Bitmap members(vertices);
#pragma omp parallel for schedule(static)
  for (size_t word = 0; word < members.words(); ++word) {
    members.AssignWord(word, keep);
  }
  return VertexSubset(std::move(members));
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_VERTEX_MAP_H_
