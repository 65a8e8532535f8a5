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

GraphKind KindOf(const GraphManifest& graph, bool lists_are_clustered) {
  if (SearchesAreDeep(graph)) return GraphKind::kDeep;
  if (lists_are_clustered) return GraphKind::kClustered;
  return graph.order == VertexOrder::kDegree ? GraphKind::kHubs : GraphKind::kScattered;
}

double PerKind::Of(GraphKind kind) const {
  switch (kind) {
    case GraphKind::kDeep:
      return deep;
    case GraphKind::kClustered:
      return clustered;
    case GraphKind::kHubs:
      return hubs;
    case GraphKind::kScattered:
      return scattered;
  }
  return scattered;
}

SearchDepth RoughDepth(const GraphManifest& graph, GraphKind kind) {
  const double vertices = static_cast<double>(std::max<uint64_t>(graph.vertices, 2));
  const double across = std::sqrt(vertices);
  if (kind == GraphKind::kDeep) return {.levels = across, .parts = across / 5};
  const double levels = 1 + 2 * std::log(vertices) / std::log(MeanDegree(graph));
  return {.levels = kind == GraphKind::kClustered ? 3 * levels : levels,
          .parts = PerKind{.clustered = 4.7, .hubs = 2.2, .scattered = 4.5}.Of(kind)};
}

}  // namespace fargraph
