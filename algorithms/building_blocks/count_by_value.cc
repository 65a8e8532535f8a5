#include "algorithms/building_blocks/count_by_value.h"

#include <cstddef>

namespace fargraph {

std::vector<uint64_t> CountByValue(const VertexArray<int32_t>& values) {
  std::vector<uint64_t> counts;
  for (const int32_t value : values) {
    if (value < 0) continue;
    if (static_cast<size_t>(value) >= counts.size()) counts.resize(value + 1);
    ++counts[value];
  }
  return counts;
}

}  // namespace fargraph
