#ifndef FARGRAPH_COMPUTE_NODE_JOB_JOB_PLAN_H_
#define FARGRAPH_COMPUTE_NODE_JOB_JOB_PLAN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "compute_node/job/job_inputs.h"
#include "compute_node/job_options.h"
#include "compute_node/loading/place_options.h"
#include "compute_node/placement/placement_plan.h"
#include "compute_node/placement/segment.h"
#include "compute_node/tiers/far_links.h"

namespace fargraph {

/// Where all arrays of a job go, and how the job reads those that are far.
struct JobPlan {
  PlacementPlan placement;
  PlaceOptions place;
};

/// Plans a job. Measures the links to the far tiers, or remembers them, once something goes far.
class JobPlanner {
 public:
  /// Both outlive the planner.
  JobPlanner(const JobOptions& options, const JobInputs& inputs)
      : options_(options), inputs_(inputs) {}

  /// As the options ask. InvalidArgument when lists that are not compressed shall be read as codes;
  /// ResourceExhausted, with the smallest budget that would do, when the budget is too small;
  /// errors of measuring the link.
  absl::StatusOr<JobPlan> Plan();

  /// The same at a far ratio from 0 to 1, which needs far memory above 0.
  absl::StatusOr<JobPlan> PlanAt(double far_ratio);

  /// The smallest --local_memory that Plan accepts, in bytes.
  absl::StatusOr<uint64_t> SmallestBudget();

 private:
  absl::StatusOr<JobPlan> PlanWithin(uint64_t budget);
  /// How lists are placed when about so much of them is far: as codes or as edges, or as whichever
  /// is faster.
  absl::StatusOr<PlaceOptions> PlaceAt(double far_ratio, std::optional<bool> compressed);
  /// The same with buffers that fit into the budget, and as edges if the user did not choose and
  /// codes do not fit.
  absl::StatusOr<PlaceOptions> PlaceWithin(uint64_t budget, double far_ratio);
  /// True if all that has to be local has room in the budget.
  absl::StatusOr<bool> Fits(uint64_t budget, const PlaceOptions& place);
  /// How far chunks are read, which are cut as the user chose, or as ChunkBytes says.
  absl::StatusOr<LinkTuning> Tuning(const FarLinks& links, PlaceOptions place, double far_ratio,
                                    uint64_t tuned_bytes);
  /// The size of chunks, where the user did not choose it.
  absl::StatusOr<uint64_t> ChunkBytes(const PlaceOptions& place, double far_ratio,
                                      uint64_t tuned_bytes);
  /// Has fewer read buffers than the link could use, until they take a small part of the budget;
  /// and then smaller ones, until the job fits into it. Not where the user chose.
  absl::Status FitBuffers(uint64_t budget, PlaceOptions& place);
  /// The same with what goes far divided between memory nodes and SSDs.
  absl::StatusOr<JobPlan> Divide(PlacementPlan placement, PlaceOptions place);
  absl::StatusOr<RoomOnMemoryNodes> Room(const PlaceOptions& place);
  /// What memory nodes have free; no limit where there are no SSDs, since then all has to fit.
  absl::StatusOr<uint64_t> FreeOnMemoryNodes();
  absl::StatusOr<uint64_t> MeasuredFreeBytes();
  /// True if the far tiers have room for all lists, or hold them already.
  absl::StatusOr<bool> FarTiersHoldAllLists(const PlaceOptions& place);
  /// The same of memory nodes alone.
  absl::StatusOr<bool> MemoryNodesHoldAllLists(const PlaceOptions& place);
  /// True if the SSDs have the decoded lists of a graph that is compressed.
  absl::StatusOr<bool> EdgesAreInStripes();
  absl::StatusOr<FarLinks> Links();
  absl::StatusOr<std::vector<DataSegment>> Segments(const PlaceOptions& place);

  const JobOptions& options_;
  const JobInputs& inputs_;
  std::optional<FarLinks> links_;
  std::optional<uint64_t> free_on_memory_nodes_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_JOB_JOB_PLAN_H_
