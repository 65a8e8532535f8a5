#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_REAL_COLUMN_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_REAL_COLUMN_H_

#include <variant>

#include "compute_node/engine/kernel.h"
#include "graph/vertex_array.h"

namespace fargraph {

/// Returns visit(values) of a column that is of floating-point numbers: in single precision float,
/// else double.
template <typename Visit>
auto VisitReals(const Column& column, Visit&& visit) {
  if (const auto* values = std::get_if<VertexArray<float>>(&column.values)) return visit(*values);
  return visit(std::get<VertexArray<double>>(column.values));
}

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_REAL_COLUMN_H_
