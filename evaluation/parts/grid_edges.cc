#include "evaluation/parts/grid_edges.h"

#include <algorithm>
#include <numeric>

#include "common/status_macros.h"

namespace fargraph {

absl::StatusOr<GridEdges> GridEdges::Read(const GraphFiles& files, Direction direction,
                                          absl::Span<const EdgeOffset> index, const Grid& grid) {
  GridEdges edges;
  for (size_t row = 0; row < grid.rows(); ++row) {
    const VertexId first = grid.row_cuts[row];
    const Part empty = {.first_vertex = first,
                        .index = std::vector<EdgeOffset>(grid.row_cuts[row + 1] - first + 1)};
    edges.parts.resize(edges.parts.size() + grid.columns(), empty);
  }
  FARGRAPH_RETURN_IF_ERROR(ForEachPiece(files, direction, index, grid, [&](const GridPiece& piece) {
    Part& part = edges.parts[piece.row * grid.columns() + piece.column];
    part.index[piece.v - part.first_vertex + 1] += piece.neighbors.size();
    part.neighbors.insert(part.neighbors.end(), piece.neighbors.begin(), piece.neighbors.end());
    return absl::OkStatus();
  }));
  for (Part& part : edges.parts) {
    std::partial_sum(part.index.begin(), part.index.end(), part.index.begin());
  }
  return edges;
}

double GridEdges::Imbalance() const {
  size_t largest = 0, total = 0;
  for (const Part& part : parts) {
    largest = std::max(largest, part.neighbors.size());
    total += part.neighbors.size();
  }
  return static_cast<double>(largest * parts.size()) / static_cast<double>(total);
}

void GridEdges::Sum(const Grid& grid, const VertexArray<float>& x, VertexArray<float>& y) const {
  std::fill(y.begin(), y.end(), 0.0F);
  for (size_t i = 0; i < parts.size(); ++i) {
    const VertexId end = grid.row_cuts[i / grid.columns() + 1];
#pragma omp parallel for schedule(dynamic, 1024)
    for (VertexId v = parts[i].first_vertex; v < end; ++v) {
      float sum = 0;
      for (const VertexId neighbor : parts[i].Neighbors(v)) sum += x[neighbor];
      y[v] += sum;
    }
  }
}

}  // namespace fargraph
