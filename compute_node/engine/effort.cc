#include "compute_node/engine/effort.h"

#include <algorithm>
#include <cmath>

namespace fargraph {

bool SearchesAreDeep(const GraphManifest& graph) {
  constexpr uint64_t kDegreeOnAPlane = 4;
  return graph.edges < kDegreeOnAPlane * std::max<uint64_t>(graph.vertices, 2);
}

SearchDepth RoughDepth(const GraphManifest& graph) {
  const double vertices = static_cast<double>(std::max<uint64_t>(graph.vertices, 2));
  const double degree = static_cast<double>(graph.edges) / vertices;
  if (SearchesAreDeep(graph)) return {.levels = std::sqrt(vertices), .wide = std::sqrt(vertices)};
  return {.levels = 1 + 2 * std::log(vertices) / std::log(degree), .wide = 2};
}

}  // namespace fargraph
