#ifndef FARGRAPH_GRAPH_PARTITION_GRID_H_
#define FARGRAPH_GRAPH_PARTITION_GRID_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/graph_files.h"
#include "graph/ids.h"

namespace fargraph {

/// Where the lists of one direction are cut into rows() x columns() parts: strips of consecutive
/// vertices, and the lists of each strip by neighbour, at columns of its own. A part is a run of
/// consecutive neighbours of every list, for lists ascend. A value.
struct Grid {
  std::vector<VertexId> row_cuts;                  ///< strip r has the lists from row_cuts[r] on
  std::vector<std::vector<VertexId>> column_cuts;  ///< part c of strip r has neighbours from
                                                   ///< column_cuts[r][c] on; both end with vertices

  size_t rows() const { return column_cuts.size(); }
  size_t columns() const { return column_cuts.front().size() - 1; }
};

/// As many vertices in each row and in each column: what most systems have (GridGraph, ATC '15).
/// `rows` and `columns` are at least 1.
Grid CutByVertices(VertexId vertices, size_t rows, size_t columns);

/// As many edges in each part, as nearly as cuts between vertices allow: the row-column balanced
/// 2D partition (Graphene, FAST '17, section 4). Rows follow from the index; columns take 4 bytes
/// for every vertex and one pass over the edges: over a sample of their blocks where parts are
/// large, but over all where lists are compressed. `index`: of vertices + 1, as
/// GraphFiles::ReadIndex gives it. DataLoss names a damaged file.
absl::StatusOr<Grid> CutByEdges(const GraphFiles& files, Direction direction,
                                absl::Span<const EdgeOffset> index, size_t rows, size_t columns);

/// A run of consecutive neighbours of v that lie in part `column` of strip `row`.
struct GridPiece {
  size_t row = 0;
  size_t column = 0;
  VertexId v = 0;
  absl::Span<const VertexId> neighbors;
};

/// Reads all lists once, front to back, and calls visit for their pieces. The neighbours are the
/// visitor's during the call only; where a block of the file ends within a piece, it comes in two.
/// Ends with the first error of visit.
absl::Status ForEachPiece(const GraphFiles& files, Direction direction,
                          absl::Span<const EdgeOffset> index, const Grid& grid,
                          absl::FunctionRef<absl::Status(const GridPiece& piece)> visit);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_PARTITION_GRID_H_
