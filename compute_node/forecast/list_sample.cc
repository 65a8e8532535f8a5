#include "compute_node/forecast/list_sample.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "common/status_macros.h"
#include "graph/ids.h"

namespace fargraph {
namespace {

/// Of 1 MiB, as what a file has a checksum of.
constexpr uint64_t kWindowEdges = 1 << 18;
constexpr uint64_t kMostWindows = 8;
constexpr uint64_t kVerticesPerLine = 16;

/// What is_clustered compares.
constexpr size_t kRowEdges = 4096;
constexpr size_t kRowsPerWindow = 8;
constexpr size_t kPieceEdges = 16;  ///< of what is from all over the lists
constexpr double kClusteredLines = 0.5;

constexpr double kUsualWithHubsFirst = 0.17;
constexpr double kUsual = 0.6;

/// The cache lines in which vertices are.
class LineCounter {
 public:
  explicit LineCounter(uint64_t vertices) : seen_(vertices / kVerticesPerLine + 1) {}

  /// A neighbour; fewer than 1 where some share one.
  double PerNeighbor(absl::Span<const VertexId> neighbors) {
    size_t lines = 0;
    for (const VertexId neighbor : neighbors) {
      const size_t line = neighbor / kVerticesPerLine;
      if (!seen_[line]) ++lines;
      seen_[line] = true;
    }
    for (const VertexId neighbor : neighbors) seen_[neighbor / kVerticesPerLine] = false;
    return static_cast<double>(lines) / static_cast<double>(neighbors.size());
  }

 private:
  std::vector<bool> seen_;  // none between two calls
};

/// The i-th of `count` pieces of so many neighbours, or all, evenly spread over the window.
absl::Span<const VertexId> Piece(absl::Span<const VertexId> window, size_t i, size_t count,
                                 size_t edges) {
  const size_t last = window.size() - std::min(edges, window.size());
  return window.subspan(count > 1 ? i * last / (count - 1) : 0, edges);
}

}  // namespace

absl::StatusOr<ListSample> SampleLists(const GraphFiles& files, Direction direction) {
  const GraphManifest& graph = files.manifest();
  if (graph.compressed)
    return ListSample{graph.order == VertexOrder::kDegree ? kUsualWithHubsFirst : kUsual};
  if (graph.edges == 0) return ListSample{};
  const ArrayFile& edges = files.Edges(direction);
  const uint64_t whole = edges.elements() / kWindowEdges;
  const uint64_t windows = std::clamp<uint64_t>(whole, 1, kMostWindows);
  const size_t pieces = kRowEdges / kPieceEdges / windows;
  std::vector<VertexId> window(std::min(edges.elements(), kWindowEdges));
  std::vector<VertexId> from_all_over;
  LineCounter lines(graph.vertices);
  ListSample sample;
  double lines_in_rows = 0;
  for (uint64_t i = 0; i < windows; ++i) {
    const uint64_t first = i * whole / windows * kWindowEdges;
    FARGRAPH_RETURN_IF_ERROR(edges.Read(
        first * sizeof(VertexId),
        {reinterpret_cast<std::byte*>(window.data()), window.size() * sizeof(VertexId)}));
    sample.scatter += lines.PerNeighbor(window) / static_cast<double>(windows);
    for (size_t row = 0; row < kRowsPerWindow; ++row)
      lines_in_rows += lines.PerNeighbor(Piece(window, row, kRowsPerWindow, kRowEdges));
    for (size_t piece = 0; piece < pieces; ++piece) {
      const absl::Span<const VertexId> part = Piece(window, piece, pieces, kPieceEdges);
      from_all_over.insert(from_all_over.end(), part.begin(), part.end());
    }
  }
  lines_in_rows /= static_cast<double>(windows * kRowsPerWindow);
  sample.is_clustered = lines_in_rows < kClusteredLines * lines.PerNeighbor(from_all_over);
  return sample;
}

}  // namespace fargraph
