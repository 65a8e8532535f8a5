#include "algorithms/default_source.h"

namespace fargraph {

VertexId LargestOutDegree(const Graph& graph) {
  VertexId largest = 0;
#pragma omp parallel
  {
    VertexId mine = 0;
#pragma omp for schedule(static) nowait
    for (VertexId v = 0; v < graph.vertices(); ++v) {
      if (graph.OutDegree(v) > graph.OutDegree(mine)) mine = v;
    }
#pragma omp critical
    {
      const EdgeOffset degree = graph.OutDegree(mine);
      const EdgeOffset most = graph.OutDegree(largest);
      if (degree > most || (degree == most && mine < largest)) largest = mine;
    }
  }
  return largest;
}

}  // namespace fargraph
