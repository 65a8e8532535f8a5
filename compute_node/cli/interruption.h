#ifndef FARGRAPH_COMPUTE_NODE_CLI_INTERRUPTION_H_
#define FARGRAPH_COMPUTE_NODE_CLI_INTERRUPTION_H_

#include <atomic>

namespace fargraph {

/// Makes the first SIGINT (Ctrl-C) and the first SIGTERM set *Interrupted(), so that the work in
/// progress can end in order; the second ends the process at once.
void CatchInterruptions();

/// Whether the user asked to stop. Lives as long as the process.
const std::atomic<bool>* Interrupted();

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_INTERRUPTION_H_
