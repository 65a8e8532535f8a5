#ifndef FARGRAPH_COMPUTE_NODE_LOADING_PLACE_LISTS_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_PLACE_LISTS_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "compute_node/loading/place_options.h"
#include "compute_node/placement/edge_lists.h"
#include "compute_node/placement/placement_plan.h"
#include "graph/graph_files.h"

namespace fargraph {

struct PlacedLists {
  std::shared_ptr<const EdgeLists> lists;
  uint64_t far_bytes = 0;
  uint64_t ssd_bytes = 0;  ///< of those
  bool attached = false;   ///< the far bytes were there already: kept on memory nodes, in the
                           ///< graph's own files, or in stripes
};

/// Loads one direction of a graph: the index into local memory, and every chunk of the edges, and
/// of the weights if `weights` says where they go, to its place, as large a part of them far as
/// planned. Where SSDs can read the graph's own files, or have the graph in stripes (PlaceGraph),
/// far chunks stay there, and are only checked. Else they are uploaded and sealed, unless the tier
/// holds a sealed upload of the same content, cut alike, at this ratio or a higher one: then that
/// is attached. Of what memory nodes have no room for after all more goes to SSDs, where there are
/// any. Edges and weights are uploads of their own, so that jobs with and without weights share the
/// edges. `weights`: the same far ratio as `edges`.
absl::StatusOr<PlacedLists> PlaceLists(const GraphFiles& files, Direction direction,
                                       const FarRatios& edges,
                                       const std::optional<FarRatios>& weights,
                                       const PlaceOptions& options);

/// The same with the codes of a compressed graph in place of its edges. FailedPrecondition when the
/// code of a list has 4 GiB or more.
absl::StatusOr<PlacedLists> PlaceCodes(const GraphFiles& files, Direction direction,
                                       const FarRatios& codes, const PlaceOptions& options);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_PLACE_LISTS_H_
