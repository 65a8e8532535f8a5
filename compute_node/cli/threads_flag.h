#ifndef FARGRAPH_COMPUTE_NODE_CLI_THREADS_FLAG_H_
#define FARGRAPH_COMPUTE_NODE_CLI_THREADS_FLAG_H_

#include "absl/status/statusor.h"

namespace fargraph {

/// From now on OpenMP has no more threads than the process can keep at work (UsableProcessors),
/// unless the user has chosen (OMP_NUM_THREADS). For the beginning of main.
void LimitThreads();

/// --threads; 0: as many as the process can keep at work. InvalidArgument says what it takes.
absl::StatusOr<int> ThreadsFlag();

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_THREADS_FLAG_H_
