#ifndef FARGRAPH_COMPUTE_NODE_JOB_JOB_INPUTS_H_
#define FARGRAPH_COMPUTE_NODE_JOB_JOB_INPUTS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "compute_node/engine/kernel.h"
#include "compute_node/job_options.h"
#include "compute_node/tiers/far_tiers.h"
#include "graph/graph_files.h"

namespace fargraph {

/// What a job works with, before anything of the graph is loaded.
struct JobInputs {
  const Kernel* kernel;
  GraphFiles files;
  KernelOptions kernel_options;
  std::unique_ptr<FarTiers> far_tiers;  ///< nullptr: all is local
};

/// Finds the kernel, opens the graph, looks up the source and connects to the memory nodes.
/// InvalidArgument for a value of the options that is out of its range, and for a far ratio without
/// memory nodes or SSDs; other errors as RunJob's.
absl::StatusOr<JobInputs> OpenJob(const JobOptions& options);

/// The same with a kernel that the registry need not have, which outlives the inputs.
absl::StatusOr<JobInputs> OpenJob(const JobOptions& options, const Kernel& kernel);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_JOB_JOB_INPUTS_H_
