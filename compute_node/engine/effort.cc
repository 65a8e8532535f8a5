#include "compute_node/engine/effort.h"

#include <algorithm>
#include <cmath>

namespace fargraph {

SearchDepth RoughDepth(const GraphManifest& graph) {
  constexpr double kDegreeOnAPlane = 4;
  const double vertices = static_cast<double>(std::max<uint64_t>(graph.vertices, 2));
  const double degree = static_cast<double>(graph.edges) / vertices;
  if (degree < kDegreeOnAPlane) return {.levels = std::sqrt(vertices), .wide = std::sqrt(vertices)};
  return {.levels = 1 + 2 * std::log(vertices) / std::log(degree), .wide = 2};
}

}  // namespace fargraph
