#include "algorithms/count_edges.h"

#include <cstddef>

#include "graph/bitmap.h"

namespace fargraph {

EdgeOffset CountEdges(const EdgeLists& lists, const VertexSubset& vertices) {
  EdgeOffset edges = 0;
  if (vertices.is_sparse()) {
    for (const VertexId v : vertices.members()) edges += lists.Degree(v);
    return edges;
  }
  const Bitmap& bits = vertices.bitmap();
#pragma omp parallel for reduction(+ : edges) schedule(static)
  for (size_t word = 0; word < bits.words(); ++word) {
    ForEachBit(bits.word(word), [&](int bit) { edges += lists.Degree(word * 64 + bit); });
  }
  return edges;
}

}  // namespace fargraph
