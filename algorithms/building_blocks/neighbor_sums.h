#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_NEIGHBOR_SUMS_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_NEIGHBOR_SUMS_H_

#include "absl/types/span.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// For kernels in which a vertex gets the sum of what its neighbours hold: what GatherLists is to
/// compute. Real is float or double. Any thread may call.
template <typename Real>
class NeighborSums {
 public:
  /// `held`: by vertex, for as long as this is used.
  explicit NeighborSums(absl::Span<const Real> held);

  /// Adds a list, or a part of one, to its sum.
  void operator()(Real& sum, absl::Span<const VertexId> neighbors) const;
  /// Sets the sum of every list of the run.
  void operator()(const ListRun& run, Real* sums) const;

 private:
  const Real* const held_;
  const bool cached_;  ///< by a core's own caches
};

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_NEIGHBOR_SUMS_H_
