#include "graph/partition/grid.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"
#include "graph/format/neighbor_reader.h"
#include "graph/vertex_array.h"

namespace fargraph {
namespace {

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

/// Calls visit(offset, neighbors) for blocks of all neighbours.
template <typename Visit>
absl::Status ForEachBlock(const GraphFiles& files, Direction direction, Visit&& visit) {
  return ScanNeighbors(files, direction, [&](uint64_t offset, absl::Span<const std::byte> bytes) {
    return visit(offset / sizeof(VertexId),
                 absl::MakeConstSpan(reinterpret_cast<const VertexId*>(bytes.data()),
                                     bytes.size() / sizeof(VertexId)));
  });
}

/// Cuts the columns of one strip after the other, as its edges go by. Counting all of them takes
/// longer than reading them, so of large parts one edge in so many is counted.
class ColumnCutter {
 public:
  static constexpr EdgeOffset kLargePart = EdgeOffset{1} << 20;
  static constexpr EdgeOffset kLargeStride = 8;

  ColumnCutter(absl::Span<const EdgeOffset> index, size_t columns, Grid& grid)
      : index_(index),
        columns_(columns),
        stride_(index.back() / columns / (grid.row_cuts.size() - 1) < kLargePart ? 1
                                                                                 : kLargeStride),
        grid_(grid),
        counted_to_(index.size() - 1) {
    CutFinished(/*position=*/0);
  }

  absl::Status Add(EdgeOffset position, absl::Span<const VertexId> neighbors) {
    while (!neighbors.empty()) {
      const auto run = neighbors.subspan(0, StripEnd() - position);
      Count(position, run);
      position += run.size();
      neighbors.remove_prefix(run.size());
      CutFinished(position);
    }
    return absl::OkStatus();
  }

 private:
  EdgeOffset StripEnd() const { return index_[grid_.row_cuts[grid_.column_cuts.size() + 1]]; }

  /// Counts an edge of each stride, in a place that changes from one to the next: lists may all
  /// have the length of a stride.
  void Count(EdgeOffset position, absl::Span<const VertexId> neighbors) {
    for (EdgeOffset stride = position / stride_;; ++stride) {
      const EdgeOffset at = stride * stride_ + 5 * stride % stride_;
      if (at >= position + neighbors.size()) break;
      if (at < position) continue;
      ++counted_to_[neighbors[at - position]];
      ++counted_;
    }
  }

  /// The strips that end at this edge.
  void CutFinished(EdgeOffset position) {
    while (grid_.column_cuts.size() + 1 < grid_.row_cuts.size() && StripEnd() == position) {
      grid_.column_cuts.push_back(
          CutEvenly(static_cast<VertexId>(counted_to_.size()), std::exchange(counted_, 0), columns_,
                    [&](VertexId v) { return EdgeOffset{counted_to_[v]}; }));
      std::fill(counted_to_.begin(), counted_to_.end(), 0);
    }
  }

  const absl::Span<const EdgeOffset> index_;
  const size_t columns_;
  const EdgeOffset stride_;
  Grid& grid_;
  VertexArray<uint32_t> counted_to_;  ///< of the strip; 2^32 to one vertex displace a cut only
  EdgeOffset counted_ = 0;
};

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
  FARGRAPH_RETURN_IF_ERROR(ForEachBlock(
      files, direction, [&](EdgeOffset position, absl::Span<const VertexId> neighbors) {
        return cutter.Add(position, neighbors);
      }));
  return grid;
}

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

absl::StatusOr<std::vector<EdgeOffset>> CountPartEdges(const GraphFiles& files, Direction direction,
                                                       absl::Span<const EdgeOffset> index,
                                                       const Grid& grid) {
  std::vector<EdgeOffset> edges(grid.rows() * grid.columns());
  FARGRAPH_RETURN_IF_ERROR(ForEachPiece(files, direction, index, grid, [&](const GridPiece& piece) {
    edges[piece.row * grid.columns() + piece.column] += piece.neighbors.size();
    return absl::OkStatus();
  }));
  return edges;
}

}  // namespace fargraph
