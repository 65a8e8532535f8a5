#include "algorithms/building_blocks/count_edges.h"

#include <cstddef>

#include "compute_node/engine/vertex_map.h"
#include "graph/bitmap.h"

namespace fargraph {

EdgeOffset CountEdges(const EdgeLists& lists, const VertexSubset& vertices) {
  if (vertices.is_sparse()) return lists.SumOfDegrees(vertices.members());
  const Bitmap& bits = vertices.bitmap();
  EdgeOffset edges = 0;
#pragma omp parallel for reduction(+ : edges) schedule(static, kWordsInTurn)
  for (size_t word = 0; word < bits.words(); ++word) {
    ForEachBit(bits.word(word), [&](int bit) { edges += lists.Degree(word * 64 + bit); });
  }
  return edges;
}

}  // namespace fargraph
