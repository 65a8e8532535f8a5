#include "graph/readers/edge_line.h"

#include <vector>

#include "absl/strings/str_cat.h"

namespace fargraph {

std::string DescribeBadEdgeLine(absl::string_view line, WeightType weight_type,
                                absl::string_view columns_advice) {
  const std::vector<absl::string_view> fields = SplitFields(line);
  for (size_t i = 0; i < fields.size() && i < 2; ++i) {
    uint64_t id = 0;
    if (!ParseId(fields[i], id)) return DescribeBadId(fields[i]);
  }
  const size_t columns = weight_type == WeightType::kNone ? 2 : 3;
  if (fields.size() != columns) {
    return absl::StrCat("it has ", fields.size(), fields.size() == 1 ? " column" : " columns",
                        " where an edge has ", columns, "; ", columns_advice);
  }
  return DescribeBadWeight(fields[2], weight_type);
}

}  // namespace fargraph
