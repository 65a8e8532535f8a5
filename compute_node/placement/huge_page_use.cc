#include "compute_node/placement/huge_page_use.h"

#include <algorithm>

#include "common/host/huge_pages.h"
#include "compute_node/placement/edge_lists.h"

namespace fargraph {
namespace {

/// What uploading takes before there are read buffers.
constexpr uint64_t kUploadPages = 1;

/// 0 of what is smaller than a page, which does not ask for one.
uint64_t PagesOf(uint64_t bytes) {
  return bytes < kHugePageBytes ? 0 : (bytes + kHugePageBytes - 1) / kHugePageBytes;
}

uint64_t PagesOf(const PlannedSegment& planned, uint64_t chunk_bytes) {
  const uint64_t bytes = planned.local_bytes();
  if (bytes == 0) return 0;
  switch (planned.segment.residence) {
    case Residence::kLocal:
    case Residence::kFarIfShort:
      return 0;  // vertex state: transparent ones
    case Residence::kLocalOrFar:
      return PagesOf(bytes + (planned.far_ratio > 0 ? chunk_bytes : 0) + kListSlackBytes);
    case Residence::kLocalIfRoom:
    case Residence::kCacheIfRoom:
      return PagesOf(bytes);
    case Residence::kLocalWithFar:
      return std::max(kUploadPages, PagesOf(bytes));
  }
  return 0;
}

}  // namespace

uint64_t HugePagesWanted(const PlacementPlan& plan, uint64_t chunk_bytes) {
  uint64_t pages = 0;
  for (const PlannedSegment& planned : plan.segments) pages += PagesOf(planned, chunk_bytes);
  return pages;
}

uint64_t BytesOnOrdinaryPages(const PlacementPlan& plan, uint64_t chunk_bytes,
                              const HugePages& pages) {
  const uint64_t on_reserved =
      std::min(HugePagesWanted(plan, chunk_bytes), pages.available) * kHugePageBytes;
  const uint64_t planned = plan.local_bytes - plan.SpareBytes();
  return planned - std::min(planned, on_reserved);
}

}  // namespace fargraph
