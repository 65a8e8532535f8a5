#include "compute_node/job/check_room.h"

#include "absl/strings/str_cat.h"
#include "common/host/huge_pages.h"
#include "common/units.h"
#include "compute_node/placement/huge_page_use.h"

namespace fargraph {

absl::Status CheckRoom(uint64_t planned_bytes, const AvailableMemory& available) {
  constexpr uint64_t kPlanIsWithin = 20;  // a twentieth
  if (planned_bytes - planned_bytes / kPlanIsWithin <= available.bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("the job takes ", FormatBytes(planned_bytes), " of memory, of which ",
                   FormatBytes(available.bytes), " are left (", available.limited_by,
                   "); it takes less with --local_memory and --memory_nodes or --ssd_dirs"));
}

absl::Status CheckRoom(const JobPlan& plan) {
  const uint64_t bytes =
      BytesOnOrdinaryPages(plan.placement, plan.place.tuning.chunk_bytes, ReadHugePages());
  return CheckRoom(bytes, ReadAvailableMemory(Swap::kCounts));
}

}  // namespace fargraph
