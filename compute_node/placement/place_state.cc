#include "compute_node/placement/place_state.h"

#include <omp.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace fargraph {

absl::StatusOr<PlacedState> PlaceState(const PlacementPlan& plan, const FarTiers* far_tiers) {
  PlacedState placed;
  for (const PlannedSegment& planned : plan.segments) {
    if (planned.segment.residence != Residence::kFarIfShort || planned.far_ratio == 0) continue;
    FARGRAPH_ASSIGN_OR_RETURN(
        const FarSegment segment,
        far_tiers->memory()->Allocate(absl::StrCat("state/", planned.segment.name),
                                      planned.segment.bytes));
    placed.state.arrays.emplace(planned.segment.name, segment.address);
  }
  if (placed.state.arrays.empty()) return placed;

  constexpr uint64_t kRingBytes = BlockStream::kRingBytes;
  const size_t threads = omp_get_max_threads();
  FARGRAPH_ASSIGN_OR_RETURN(
      placed.rings, MappedMemory::Allocate(threads * kRingBytes, MappedMemory::Sharing::kPrivate,
                                           MappedMemory::Pages::kSmall));
  FARGRAPH_ASSIGN_OR_RETURN(placed.rings_region,
                            far_tiers->memory()->RegisterMemory(placed.rings.bytes()));
  for (size_t thread = 0; thread < threads; ++thread) {
    FARGRAPH_ASSIGN_OR_RETURN(
        std::unique_ptr<TierQueue> queue,
        far_tiers->memory()->OpenQueue(*placed.rings_region, BlockStream::kSlots));
    placed.state.streams.push_back(std::make_unique<BlockStream>(
        std::move(queue), placed.rings.bytes().subspan(thread * kRingBytes, kRingBytes)));
  }
  return placed;
}

}  // namespace fargraph
