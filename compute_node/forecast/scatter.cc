#include "compute_node/forecast/scatter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "common/status_macros.h"
#include "graph/bitmap.h"
#include "graph/ids.h"

namespace fargraph {
namespace {

/// Of 1 MiB, as what a file has a checksum of.
constexpr uint64_t kWindowEdges = 1 << 18;
constexpr uint64_t kMostWindows = 8;
constexpr uint64_t kVerticesPerLine = 16;

constexpr double kUsualWithHubsFirst = 0.17;
constexpr double kUsual = 0.6;

/// `lines` has room for those of all vertices.
size_t CountLines(absl::Span<const VertexId> neighbors, Bitmap& lines) {
  lines.Clear();
  for (const VertexId neighbor : neighbors) lines.SetUnshared(neighbor / kVerticesPerLine);
  return lines.Count();
}

}  // namespace

absl::StatusOr<double> MeasureScatter(const GraphFiles& files, Direction direction) {
  const GraphManifest& graph = files.manifest();
  if (graph.compressed) return graph.order == VertexOrder::kDegree ? kUsualWithHubsFirst : kUsual;
  if (graph.edges == 0) return 0;
  const ArrayFile& edges = files.Edges(direction);
  const uint64_t whole = edges.elements() / kWindowEdges;
  const uint64_t windows = std::clamp<uint64_t>(whole, 1, kMostWindows);
  std::vector<VertexId> neighbors(std::min(edges.elements(), kWindowEdges));
  Bitmap lines(graph.vertices / kVerticesPerLine + 1);
  size_t found = 0;
  for (uint64_t i = 0; i < windows; ++i) {
    const uint64_t first = i * whole / windows * kWindowEdges;
    FARGRAPH_RETURN_IF_ERROR(edges.Read(
        first * sizeof(VertexId),
        {reinterpret_cast<std::byte*>(neighbors.data()), neighbors.size() * sizeof(VertexId)}));
    found += CountLines(neighbors, lines);
  }
  return static_cast<double>(found) / static_cast<double>(windows * neighbors.size());
}

}  // namespace fargraph
