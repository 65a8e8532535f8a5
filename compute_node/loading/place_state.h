#ifndef FARGRAPH_COMPUTE_NODE_LOADING_PLACE_STATE_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_PLACE_STATE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/memory/mapped_memory.h"
#include "compute_node/pipeline/far_state.h"
#include "compute_node/placement/placement_plan.h"
#include "compute_node/tiers/far_tiers.h"

namespace fargraph {

/// Far state with what it needs here. What it holds goes before the far memory, and the state
/// before the ring.
struct PlacedState {
  MappedMemory rings;
  std::unique_ptr<transport::MemoryRegion> rings_region;
  FarState state;  ///< without arrays if the plan sends none far
};

/// Takes room on the memory nodes for the state that the plan sends far, and opens a stream to it
/// for each thread. `far_tiers`: with memory nodes if there is any. ResourceExhausted when a node
/// is full.
absl::StatusOr<PlacedState> PlaceState(const PlacementPlan& plan, const FarTiers* far_tiers);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_PLACE_STATE_H_
