#ifndef FARGRAPH_COMPUTE_NODE_JOB_CHECK_ROOM_H_
#define FARGRAPH_COMPUTE_NODE_JOB_CHECK_ROOM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "common/host/available_memory.h"
#include "compute_node/job/job_plan.h"

namespace fargraph {

/// ResourceExhausted where a job that is going to take so much memory would be killed for it: a
/// plan is within 5% of what a job takes, so it has to exceed what is available by more.
absl::Status CheckRoom(uint64_t planned_bytes, const AvailableMemory& available);

/// The same of what a plan takes beside reserved huge pages, and of what this process has left.
/// Before anything is loaded.
absl::Status CheckRoom(const JobPlan& plan);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_JOB_CHECK_ROOM_H_
