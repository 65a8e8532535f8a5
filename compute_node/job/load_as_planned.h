#ifndef FARGRAPH_COMPUTE_NODE_JOB_LOAD_AS_PLANNED_H_
#define FARGRAPH_COMPUTE_NODE_JOB_LOAD_AS_PLANNED_H_

#include "absl/status/statusor.h"
#include "compute_node/job/job_inputs.h"
#include "compute_node/job/job_plan.h"
#include "compute_node/job_options.h"
#include "compute_node/loading/load_graph.h"

namespace fargraph {

/// LoadGraph of a job's inputs, which tells options.on_load how far it is.
absl::StatusOr<LoadedGraph> LoadAsPlanned(const JobOptions& options, const JobInputs& inputs,
                                          const JobPlan& plan);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_JOB_LOAD_AS_PLANNED_H_
