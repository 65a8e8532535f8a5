#ifndef FARGRAPH_EVALUATION_PARTS_GRID_EDGES_H_
#define FARGRAPH_EVALUATION_PARTS_GRID_EDGES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/graph_files.h"
#include "graph/ids.h"
#include "graph/partition/grid.h"
#include "graph/vertex_array.h"

namespace fargraph {

/// A graph's edges in memory, part by part; in each part as they lie on a device: the neighbours of
/// one vertex behind those of the other.
struct GridEdges {
  struct Part {
    VertexId first_vertex = 0;
    std::vector<EdgeOffset> index;  ///< where the neighbours of each vertex of the strip begin
    std::vector<VertexId> neighbors;

    absl::Span<const VertexId> Neighbors(VertexId v) const {
      const EdgeOffset* begin = &index[v - first_vertex];
      return absl::MakeConstSpan(neighbors).subspan(begin[0], begin[1] - begin[0]);
    }
  };
  std::vector<Part> parts;  ///< row by row

  /// Reads them, in one pass.
  static absl::StatusOr<GridEdges> Read(const GraphFiles& files, Direction direction,
                                        absl::Span<const EdgeOffset> index, const Grid& grid);

  /// The largest part, of an equal share.
  double Imbalance() const;
  /// y[v] is the sum of x over the neighbours of v, one part after the other, on all cores.
  void Sum(const Grid& grid, const VertexArray<float>& x, VertexArray<float>& y) const;
};

}  // namespace fargraph

#endif  // FARGRAPH_EVALUATION_PARTS_GRID_EDGES_H_
