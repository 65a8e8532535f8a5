#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COMPONENT_LABELS_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COMPONENT_LABELS_H_

#include "absl/status/status.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"
#include "graph/vertex_names.h"

namespace fargraph {

/// Has the vertex with the smallest id in the input stand for each component. `components`: by
/// vertex its component's smallest vertex, which without a renumbering is the one already. On
/// several cores, with memory for another such array. Errors of reading names, which leave
/// `components` in between.
absl::Status LabelBySmallestId(const VertexNames& names, VertexArray<VertexId>& components);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_COMPONENT_LABELS_H_
