#include "algorithms/building_blocks/hub_counts.h"

namespace fargraph {
namespace {

/// Hubs have at least this part of all edges, or there is little to gain.
constexpr EdgeOffset kLeastShare = 8;

}  // namespace

HubCounts::HubCounts(const EdgeLists& lists) : end_(std::min(lists.vertices(), kMost)) {
  if (lists.Begin(end_) < lists.edges() / kLeastShare) end_ = 0;
  of_threads_.assign(omp_get_max_threads(), std::vector<int32_t>(WholeBlocks(end_), 0));
}

DataSegment HubCounts::Segment(uint64_t vertices) {
  const uint64_t counts = WholeBlocks(std::min<uint64_t>(vertices, kMost));
  return {.name = "hub_counts", .bytes = omp_get_max_threads() * counts * sizeof(int32_t)};
}

}  // namespace fargraph
