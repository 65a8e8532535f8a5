#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_MEMORY_PLAN_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_MEMORY_PLAN_H_

#include <cstdint>

#include "absl/status/statusor.h"

namespace fargraph {

/// What a job holds in local memory, in bytes, by segment.
struct MemoryNeeds {
  uint64_t vertex_state = 0;  ///< the kernel's arrays and results; always local
  uint64_t indexes =
      0;  ///< offsets and chunk tables of the directions that the kernel reads; always local
  uint64_t buffers = 0;  ///< the rings that far chunks are read into; only when something is far
  uint64_t edges = 0;    ///< what may go far

  uint64_t AllLocal() const { return vertex_state + indexes + edges; }
  uint64_t AllFar() const { return vertex_state + indexes + buffers; }
};

/// The smallest far ratio, rounded up to a thousandth (so that like budgets share an upload), with
/// which the job stays within `budget` bytes. ResourceExhausted, with the smallest budget that
/// would do, when there is none; `have_far_memory`: whether anything can go far at all.
absl::StatusOr<double> FarRatioWithin(const MemoryNeeds& needs, uint64_t budget,
                                      bool have_far_memory);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_MEMORY_PLAN_H_
