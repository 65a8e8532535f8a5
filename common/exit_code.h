#ifndef FARGRAPH_COMMON_EXIT_CODE_H_
#define FARGRAPH_COMMON_EXIT_CODE_H_

#include "absl/status/status.h"

namespace fargraph {

/// The exit codes of both commands, as documented in docs/command-line.md. The kind of error
/// decides the code, so a function that meets an error chooses it by the absl::StatusCode that it
/// returns; see ExitCodeFor.
enum ExitCode : int {
  kExitOk = 0,
  kExitInternal =
      1,  ///< a bug in Fargraph, or an error of the operating system that has no code of its own
  kExitUsage = 2,         ///< kInvalidArgument, kOutOfRange: a flag, an argument, a source vertex
  kExitNoInput = 3,       ///< kNotFound: a file or directory that is not there or cannot be read
  kExitBadInput = 4,      ///< kDataLoss: a file that is not what it should be
  kExitUnreachable = 5,   ///< kUnavailable, kDeadlineExceeded: a memory node is unreachable or died
  kExitRefused = 6,       ///< kUnauthenticated, kPermissionDenied: a memory node does not admit us
  kExitNoRoom = 7,        ///< kResourceExhausted: a memory node, a budget or a disk is full
  kExitHostNotReady = 8,  ///< kFailedPrecondition: no RDMA device, memlock too low, ...
  kExitVerificationFailed = 9,  ///< kAborted: a verifier found the answer wrong
  kExitExists = 10,             ///< kAlreadyExists: the output is there already
  kExitInterrupted = 130,       ///< kCancelled: SIGINT or SIGTERM
};

/// The exit code of a command that ends with `status`.
ExitCode ExitCodeFor(const absl::Status& status);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_EXIT_CODE_H_
