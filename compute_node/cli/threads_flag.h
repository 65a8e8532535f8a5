#ifndef FARGRAPH_COMPUTE_NODE_CLI_THREADS_FLAG_H_
#define FARGRAPH_COMPUTE_NODE_CLI_THREADS_FLAG_H_

#include "absl/status/statusor.h"

namespace fargraph {

/// --threads; 0: as many as the process may use. InvalidArgument says what it takes.
absl::StatusOr<int> ThreadsFlag();

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_THREADS_FLAG_H_
