#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_VERTEX_SAMPLE_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_VERTEX_SAMPLE_H_

#include <cstddef>
#include <vector>

#include "graph/ids.h"

namespace fargraph {

/// So many of the vertices [0, vertices), ascending: drawn uniformly without replacement by a
/// generator with a fixed seed, so that they depend on the two numbers alone; all if there are no
/// more.
std::vector<VertexId> SampleVertices(VertexId vertices, size_t samples);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_VERTEX_SAMPLE_H_
