#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_SEARCH_SOURCE_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_SEARCH_SOURCE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/kernel.h"
#include "graph/ids.h"

namespace fargraph {

/// Where a search along out-edges begins: at the source that is asked for, else at the vertex with
/// most of them, the smallest of equals. InvalidArgument, naming the kernel, where there is no
/// vertex.
absl::StatusOr<VertexId> SourceOf(const Graph& graph, const KernelOptions& options,
                                  absl::string_view kernel);

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_SEARCH_SOURCE_H_
