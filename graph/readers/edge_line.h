#ifndef FARGRAPH_GRAPH_READERS_EDGE_LINE_H_
#define FARGRAPH_GRAPH_READERS_EDGE_LINE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "graph/edge_reader.h"
#include "graph/ids.h"
#include "graph/readers/text_fields.h"

/// A line of text that holds an edge: `source target`, and a weight behind them where the type is
/// not kNone.
namespace fargraph {

/// False if the line is anything else.
inline bool ParseEdgeLine(absl::string_view line, WeightType weight_type, InputEdge& edge) {
  FieldScanner scanner(line);
  if (!scanner.ReadId(edge.source) || !scanner.ReadId(edge.target)) return false;
  edge.weight_bits = 0;
  return (weight_type == WeightType::kNone ||
          ParseWeight(scanner.ReadField(), weight_type, edge.weight_bits)) &&
         scanner.AtEnd();
}

/// Why the line does not parse. `columns_advice` says what to write where the number of columns is
/// wrong.
std::string DescribeBadEdgeLine(absl::string_view line, WeightType weight_type,
                                absl::string_view columns_advice);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_EDGE_LINE_H_
