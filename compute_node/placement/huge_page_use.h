#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_HUGE_PAGE_USE_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_HUGE_PAGE_USE_H_

#include <cstdint>

#include "common/host/huge_pages.h"
#include "compute_node/placement/placement_plan.h"

namespace fargraph {

/// Reserved pages of 2 MiB that are enough for what a job puts on such where they are free: the
/// local part of its lists, heads and read buffers. An array of less than a page gets none. Far
/// parts are whole chunks, so a chunk more may be local than is planned.
uint64_t HugePagesWanted(const PlacementPlan& plan, uint64_t chunk_bytes);

/// What a job is going to take of other memory, where `pages` are there.
uint64_t BytesOnOrdinaryPages(const PlacementPlan& plan, uint64_t chunk_bytes,
                              const HugePages& pages);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_HUGE_PAGE_USE_H_
