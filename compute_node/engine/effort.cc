#include "compute_node/engine/effort.h"

#include <algorithm>
#include <cmath>

namespace fargraph {

double MeanDegree(const GraphManifest& graph) {
  return static_cast<double>(graph.edges) /
         static_cast<double>(std::max<uint64_t>(1, graph.vertices));
}

bool SearchesAreDeep(const GraphManifest& graph) {
  constexpr uint64_t kDegreeOnAPlane = 4;
  return graph.edges < kDegreeOnAPlane * std::max<uint64_t>(graph.vertices, 2);
}

SearchDepth RoughDepth(const GraphManifest& graph) {
  const double vertices = static_cast<double>(std::max<uint64_t>(graph.vertices, 2));
  const double across = std::sqrt(vertices);
  if (SearchesAreDeep(graph)) return {.levels = across, .parts = across / 5};
  return {.levels = 1 + 2 * std::log(vertices) / std::log(MeanDegree(graph)),
          .parts = graph.order == VertexOrder::kDegree ? 2.2 : 4.5};
}

}  // namespace fargraph
