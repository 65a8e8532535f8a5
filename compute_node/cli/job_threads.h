#ifndef FARGRAPH_COMPUTE_NODE_CLI_JOB_THREADS_H_
#define FARGRAPH_COMPUTE_NODE_CLI_JOB_THREADS_H_

#include "absl/status/status.h"

namespace fargraph {

/// From now on OpenMP has no more threads than the process can keep at work (UsableProcessors),
/// unless the user has chosen (OMP_NUM_THREADS). For the beginning of main.
void LimitThreads();

/// Has OpenMP's threads as a job with these flags has them, so that what is measured with them
/// holds for it: as many as --threads says, or else as LimitThreads left them; where SSDs are read
/// (--ssd_dirs) near these (StayNear), and asleep while they wait (SleepWhileWaiting, for which
/// nothing may have been done that can be seen). InvalidArgument names the flag and what it takes.
absl::Status SetUpThreads();

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_JOB_THREADS_H_
