#include "graph/partition/grid.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"
#include "graph/format/array_format.h"
#include "graph/format/neighbor_reader.h"
#include "graph/vertex_array.h"

namespace fargraph {
namespace {

/// Edges; of larger parts, one block of so many is read and counted.
constexpr EdgeOffset kLargePart = EdgeOffset{1} << 21;
constexpr uint64_t kBlocksPerSample = 8;

/// Cuts `count` things into parts whose sizes sum up to nearly the same, each as near to its place
/// as a cut between two things can be. `size(i)` of the i-th, `total` of all.
template <typename Size>
std::vector<VertexId> CutEvenly(VertexId count, EdgeOffset total, size_t parts, Size&& size) {
  std::vector<VertexId> cuts = {0};
  EdgeOffset before = 0;
  for (VertexId i = 0; i < count && cuts.size() < parts; ++i) {
    while (cuts.size() < parts && 2 * (total * cuts.size() / parts) <= 2 * before + size(i)) {
      cuts.push_back(i);
    }
    before += size(i);
  }
  cuts.resize(parts + 1, count);
  return cuts;
}

absl::Span<const VertexId> AsNeighbors(absl::Span<const std::byte> bytes) {
  return {reinterpret_cast<const VertexId*>(bytes.data()), bytes.size() / sizeof(VertexId)};
}

/// Calls visit(position, neighbors) for blocks of all neighbours.
template <typename Visit>
absl::Status ForEachBlock(const GraphFiles& files, Direction direction, Visit&& visit) {
  return ScanNeighbors(files, direction, IgnoreBlock,
                       [&](uint64_t offset, absl::Span<const std::byte> bytes) {
                         return visit(offset / sizeof(VertexId), AsNeighbors(bytes));
                       });
}

/// Calls visit(position, neighbors) for the first block of each `stride`, in order.
template <typename Visit>
absl::Status ForEachSampledBlock(const ArrayFile& edges, uint64_t stride, Visit&& visit) {
  std::vector<std::byte> block(kArrayBlockBytes);
  for (uint64_t at = 0; at < edges.bytes(); at += stride * kArrayBlockBytes) {
    const auto read = absl::MakeSpan(block).subspan(0, edges.bytes() - at);
    FARGRAPH_RETURN_IF_ERROR(edges.Read(at, read));
    FARGRAPH_RETURN_IF_ERROR(visit(at / sizeof(VertexId), AsNeighbors(read)));
  }
  return absl::OkStatus();
}

/// Cuts the columns of one strip after the other, as its edges, or blocks of them, go by.
class ColumnCutter {
 public:
  ColumnCutter(absl::Span<const EdgeOffset> index, size_t columns, Grid& grid)
      : index_(index), columns_(columns), grid_(grid), counted_to_(index.size() - 1) {}

  absl::Status Add(EdgeOffset position, absl::Span<const VertexId> neighbors) {
    while (!neighbors.empty()) {
      CutUpTo(position);
      const auto run = neighbors.subspan(0, StripEnd() - position);
      for (const VertexId neighbor : run) ++counted_to_[neighbor];
      counted_ += run.size();
      position += run.size();
      neighbors.remove_prefix(run.size());
    }
    return absl::OkStatus();
  }

  void Finish() { CutUpTo(index_.back()); }

 private:
  EdgeOffset StripEnd() const { return index_[grid_.row_cuts[grid_.column_cuts.size() + 1]]; }

  /// The strips that end at this edge or before it.
  void CutUpTo(EdgeOffset position) {
    while (grid_.column_cuts.size() + 1 < grid_.row_cuts.size() && StripEnd() <= position) {
      grid_.column_cuts.push_back(
          CutEvenly(static_cast<VertexId>(counted_to_.size()), std::exchange(counted_, 0), columns_,
                    [&](VertexId v) { return EdgeOffset{counted_to_[v]}; }));
      std::fill(counted_to_.begin(), counted_to_.end(), 0);
    }
  }

  const absl::Span<const EdgeOffset> index_;
  const size_t columns_;
  Grid& grid_;
  VertexArray<uint32_t> counted_to_;  ///< of the strip; 2^32 to one vertex displace a cut only
  EdgeOffset counted_ = 0;
};

/// Splits a run of consecutive neighbours of v, of strip `row`, at the grid's columns, and calls
/// visit for each piece that is not empty, in order.
void SplitAtColumns(const Grid& grid, size_t row, VertexId v, absl::Span<const VertexId> neighbors,
                    absl::FunctionRef<void(const GridPiece& piece)> visit) {
  const std::vector<VertexId>& cuts = grid.column_cuts[row];
  while (!neighbors.empty()) {
    const auto cut = std::upper_bound(cuts.begin(), cuts.end(), neighbors.front());
    const bool is_last = cut == cuts.end() || neighbors.back() < *cut;
    const size_t count =
        is_last ? neighbors.size()
                : std::lower_bound(neighbors.begin(), neighbors.end(), *cut) - neighbors.begin();
    const auto column = static_cast<size_t>(cut - cuts.begin() - 1);
    visit({.row = row, .column = column, .v = v, .neighbors = neighbors.first(count)});
    neighbors.remove_prefix(count);
  }
}

}  // namespace

Grid CutByVertices(VertexId vertices, size_t rows, size_t columns) {
  const auto cut = [vertices](size_t parts) {
    return CutEvenly(vertices, vertices, parts, [](VertexId) { return EdgeOffset{1}; });
  };
  return {.row_cuts = cut(rows),
          .column_cuts = std::vector<std::vector<VertexId>>(rows, cut(columns))};
}

absl::StatusOr<Grid> CutByEdges(const GraphFiles& files, Direction direction,
                                absl::Span<const EdgeOffset> index, size_t rows, size_t columns) {
  const auto vertices = static_cast<VertexId>(index.size() - 1);
  Grid grid = {.row_cuts = CutEvenly(vertices, index.back(), rows,
                                     [&](VertexId v) { return index[v + 1] - index[v]; })};
  if (columns == 1) {
    grid.column_cuts.resize(rows, {0, vertices});
    return grid;
  }
  ColumnCutter cutter(index, columns, grid);
  const auto add = [&](EdgeOffset position, absl::Span<const VertexId> neighbors) {
    return cutter.Add(position, neighbors);
  };
  const bool is_sampled =
      index.back() / rows / columns >= kLargePart && !files.manifest().compressed;
  FARGRAPH_RETURN_IF_ERROR(is_sampled
                               ? ForEachSampledBlock(files.Edges(direction), kBlocksPerSample, add)
                               : ForEachBlock(files, direction, add));
  cutter.Finish();
  return grid;
}

absl::Status ForEachPiece(const GraphFiles& files, Direction direction,
                          absl::Span<const EdgeOffset> index, const Grid& grid,
                          absl::FunctionRef<absl::Status(const GridPiece& piece)> visit) {
  VertexId v = 0;
  size_t row = 0;
  absl::Status status;
  const auto visit_piece = [&](const GridPiece& piece) { status.Update(visit(piece)); };
  return ForEachBlock(files, direction,
                      [&](EdgeOffset position, absl::Span<const VertexId> neighbors) {
                        while (!neighbors.empty()) {
                          while (index[v + 1] <= position) ++v;
                          while (grid.row_cuts[row + 1] <= v) ++row;
                          const auto list = neighbors.subspan(0, index[v + 1] - position);
                          SplitAtColumns(grid, row, v, list, visit_piece);
                          position += list.size();
                          neighbors.remove_prefix(list.size());
                          if (!status.ok()) break;
                        }
                        return status;
                      });
}

}  // namespace fargraph
