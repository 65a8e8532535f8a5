#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_CHUNK_PLANNER_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_CHUNK_PLANNER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compute_node/pipeline/asked_lists.h"
#include "compute_node/pipeline/fetch_run.h"
#include "compute_node/pipeline/read_pattern.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "compute_node/tiers/far_space.h"
#include "compute_node/tiers/tier.h"
#include "graph/ids.h"

namespace fargraph {

/// All elements of a chunk as one run.
FetchRun WholeRun(const ChunkTable& chunks, size_t chunk);

/// What one thread's scans fetch of a far chunk: all of it, or the lists that somebody asked for
/// with the gaps between them that are cheaper to read than to leave out.
class ChunkPlanner {
 public:
  /// `queue`: what is planned for is read from it; outlives the planner.
  ChunkPlanner(const TierQueue& queue, const FarGaps& gaps) : queue_(queue), gaps_(gaps) {}

  /// Of the chunks of `lists`, the lists of the vertices in `active` (all if nullptr), without the
  /// first `skip` neighbours of each. Both outlive the scan.
  void BeginScan(const EdgeLists& lists, const VertexSubset* active, EdgeOffset skip);

  /// Of a scan that reads all lists.
  bool wants_all() const { return !asked_; }
  /// The runs to be fetched, in the order in which they lie; none if nobody asked for any list.
  void Plan(size_t chunk, std::vector<FetchRun>& runs);
  /// How many elements take as long as the requests that a run costs, one of each array. Within it
  /// two runs may share a block, of edges or of weights.
  uint64_t BreakEvenGap(size_t chunk) const;

  /// Of all that was planned since the planner was made, lists without their weights.
  const ReadPattern& pattern() const { return pattern_; }

 private:
  void PlanAskedLists(size_t chunk, std::vector<FetchRun>& runs);
  void PlanLists(size_t chunk, std::vector<FetchRun>& runs, ReadPattern& asked_for) const;

  const TierQueue& queue_;
  const FarGaps gaps_;
  const EdgeLists* lists_ = nullptr;
  std::optional<AskedLists> asked_;  ///< none: all
  ReadPattern pattern_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_CHUNK_PLANNER_H_
