#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COMPONENT_COUNT_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COMPONENT_COUNT_H_

#include <cstdint>

#include "graph/ids.h"
#include "graph/vertex_array.h"

namespace fargraph {

struct ComponentCount {
  uint64_t components = 0;
  uint64_t largest = 0;               ///< vertices of the largest
  VertexId largest_root = kNoVertex;  ///< the smallest such root
};

/// Counts components and their vertices, on all cores. `components`: by vertex its component's
/// root, which is its own. Has memory for counts below `at_a_time` roots, above 0 where there are
/// vertices, and passes over all vertices for as many of them at a time.
ComponentCount CountComponents(const VertexArray<VertexId>& components, VertexId at_a_time);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COMPONENT_COUNT_H_
