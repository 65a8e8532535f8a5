#include "compute_node/placement/memory_plan.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "common/units.h"

namespace fargraph {

absl::StatusOr<double> FarRatioWithin(const MemoryNeeds& needs, uint64_t budget,
                                      bool have_far_memory) {
  if (needs.AllLocal() <= budget) return 0.0;
  if (!have_far_memory) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the job needs ", FormatBytes(needs.AllLocal()), " of local memory and --local_memory is ",
        FormatBytes(budget), "; set --local_memory=", needs.AllLocal(),
        "B or more, or name memory nodes with --memory_nodes"));
  }
  if (needs.AllFar() > budget) {
    return absl::ResourceExhaustedError(
        absl::StrCat("vertex state (", FormatBytes(needs.vertex_state), "), index (",
                     FormatBytes(needs.indexes), ") and buffers (", FormatBytes(needs.buffers),
                     ") exceed --local_memory=", FormatBytes(budget),
                     " even with all edges far; the smallest budget that does is --local_memory=",
                     std::min(needs.AllFar(), needs.AllLocal()), "B"));
  }
  const double local_share =
      static_cast<double>(budget - needs.AllFar()) / static_cast<double>(needs.edges);
  return std::min(1.0, std::ceil((1 - local_share) * 1000) / 1000);
}

}  // namespace fargraph
