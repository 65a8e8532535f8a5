#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COUNT_BY_VALUE_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COUNT_BY_VALUE_H_

#include <cstdint>
#include <vector>

#include "graph/vertex_array.h"

namespace fargraph {

/// For answers: the number of vertices that have each value, from 0 up to the largest. Those with a
/// negative one do not count.
std::vector<uint64_t> CountByValue(const VertexArray<int32_t>& values);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COUNT_BY_VALUE_H_
