#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_PLACE_LISTS_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_PLACE_LISTS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compute_node/placement/edge_lists.h"
#include "compute_node/tiers/far_tier.h"
#include "compute_node/tiers/link_sweep.h"
#include "graph/graph_files.h"

namespace fargraph {

struct PlaceOptions {
  bool compressed = false;  ///< lists without weights stay compressed, as the files have them
  LinkTuning tuning;
  LinkProfile link;             ///< needed when anything goes far
  FarTier* far_tier = nullptr;  ///< needed when anything goes far; must outlive the lists
  bool keep = false;            ///< what is uploaded stays on the memory nodes after this job
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(uint64_t bytes)>
      on_bytes;  ///< called as bytes of edges and weights are placed
};

struct PlacedLists {
  std::shared_ptr<const EdgeLists> lists;
  uint64_t far_bytes = 0;
  bool attached = false;  ///< the far bytes were there already: kept on memory nodes, or in the
                          ///< graph's own files
};

/// The chunk sizes in which the memory nodes hold enough of an array for this far ratio, sealed.
/// `array`: "edges", "weights" or "codes".
absl::StatusOr<std::set<uint64_t>> UploadedChunkSizes(const GraphFiles& files, Direction direction,
                                                      absl::string_view array, double far_ratio,
                                                      FarTier& far_tier);

/// Loads one direction of a graph: the index into local memory, and every chunk of the edges, and
/// of the weights `with_weights`, to its place, `far_ratio` (0 to 1) of their bytes far. Where the
/// far tier can read the graph's own files, far chunks stay there, and are only checked. Else they
/// are uploaded and sealed, unless the tier holds a sealed upload of the same content, cut alike,
/// at this far ratio or a higher one: then that is attached. Edges and weights are uploads of their
/// own, so that jobs with and without weights share the edges.
absl::StatusOr<PlacedLists> PlaceLists(const GraphFiles& files, Direction direction,
                                       double far_ratio, bool with_weights,
                                       const PlaceOptions& options);

/// The same with the codes of a compressed graph in place of its edges. FailedPrecondition when the
/// code of a list has 4 GiB or more.
absl::StatusOr<PlacedLists> PlaceCodes(const GraphFiles& files, Direction direction,
                                       double far_ratio, const PlaceOptions& options);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_PLACE_LISTS_H_
