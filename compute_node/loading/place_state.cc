#include "compute_node/loading/place_state.h"

#include <omp.h>

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace fargraph {

namespace {

/// The segments of state that the plan sends far.
std::vector<DataSegment> FarSegments(const PlacementPlan& plan) {
  std::vector<DataSegment> segments;
  for (const PlannedSegment& planned : plan.segments) {
    if (planned.segment.residence == Residence::kFarIfShort && planned.far_ratio > 0)
      segments.push_back(planned.segment);
  }
  return segments;
}

/// The streams of one array, one for each ring of `rings`.
absl::StatusOr<std::vector<std::unique_ptr<BlockStream>>> OpenStreams(
    FarMemory& memory, const transport::MemoryRegion& region, absl::Span<std::byte> rings) {
  std::vector<std::unique_ptr<BlockStream>> streams;
  for (; !rings.empty(); rings.remove_prefix(BlockStream::kRingBytes)) {
    FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<TierQueue> queue,
                              memory.OpenQueue(region, BlockStream::kSlots));
    streams.push_back(
        std::make_unique<BlockStream>(std::move(queue), rings.first(BlockStream::kRingBytes)));
  }
  return streams;
}

}  // namespace

absl::StatusOr<PlacedState> PlaceState(const PlacementPlan& plan, const FarTiers* far_tiers) {
  PlacedState placed;
  const std::vector<DataSegment> segments = FarSegments(plan);
  if (segments.empty()) return placed;

  FarMemory& memory = *far_tiers->memory();
  const uint64_t rings_bytes = omp_get_max_threads() * BlockStream::kRingBytes;
  FARGRAPH_ASSIGN_OR_RETURN(placed.rings, MappedMemory::Allocate(segments.size() * rings_bytes,
                                                                 MappedMemory::Sharing::kPrivate,
                                                                 MappedMemory::Pages::kSmall));
  FARGRAPH_ASSIGN_OR_RETURN(placed.rings_region, memory.RegisterMemory(placed.rings.bytes()));
  absl::Span<std::byte> rings = placed.rings.bytes();
  for (const DataSegment& segment : segments) {
    FARGRAPH_ASSIGN_OR_RETURN(const FarSegment far,
                              memory.Allocate(absl::StrCat("state/", segment.name), segment.bytes));
    FarArray& array = placed.state.arrays[segment.name];
    array.address = far.address;
    FARGRAPH_ASSIGN_OR_RETURN(array.streams,
                              OpenStreams(memory, *placed.rings_region, rings.first(rings_bytes)));
    rings.remove_prefix(rings_bytes);
  }
  return placed;
}

}  // namespace fargraph
