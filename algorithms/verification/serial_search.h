#ifndef FARGRAPH_ALGORITHMS_VERIFICATION_SERIAL_SEARCH_H_
#define FARGRAPH_ALGORITHMS_VERIFICATION_SERIAL_SEARCH_H_

#include <cstdint>
#include <vector>

#include "graph/csr.h"
#include "graph/ids.h"

namespace fargraph {

/// For verifiers, not for kernels: a breadth-first search along the lists of `graph`. Calls
/// visit(v, distance) for every vertex that is reached, the source with distance 0.
template <typename Visit>
void SearchSerially(const Csr& graph, VertexId source, Visit&& visit) {
  std::vector<bool> seen(graph.vertices());
  std::vector<VertexId> level = {source};
  seen[source] = true;
  for (int32_t distance = 0; !level.empty(); ++distance) {
    std::vector<VertexId> next;
    for (const VertexId u : level) {
      visit(u, distance);
      for (const VertexId v : graph.neighbors(u)) {
        if (seen[v]) continue;
        seen[v] = true;
        next.push_back(v);
      }
    }
    level.swap(next);
  }
}

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_VERIFICATION_SERIAL_SEARCH_H_
