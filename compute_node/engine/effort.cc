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

SearchDepth RoughDepth(const GraphManifest& graph, bool lists_are_clustered) {
  const double vertices = static_cast<double>(std::max<uint64_t>(graph.vertices, 2));
  const double across = std::sqrt(vertices);
  const double levels = 1 + 2 * std::log(vertices) / std::log(MeanDegree(graph));
  if (SearchesAreDeep(graph)) return {across, across / 5, &PerSearchKind::deep};
  if (lists_are_clustered) return {3 * levels, 4.7, &PerSearchKind::clustered};
  if (graph.order == VertexOrder::kDegree) return {levels, 2.2, &PerSearchKind::hubs};
  return {levels, 4.5, &PerSearchKind::scattered};
}

}  // namespace fargraph
