#include "common/exit_code.h"

namespace fargraph {

ExitCode ExitCodeFor(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return kExitOk;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
      return kExitUsage;
    case absl::StatusCode::kNotFound:
      return kExitNoInput;
    case absl::StatusCode::kDataLoss:
      return kExitBadInput;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
      return kExitUnreachable;
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kPermissionDenied:
      return kExitRefused;
    case absl::StatusCode::kResourceExhausted:
      return kExitNoRoom;
    case absl::StatusCode::kFailedPrecondition:
      return kExitHostNotReady;
    case absl::StatusCode::kAborted:
      return kExitVerificationFailed;
    case absl::StatusCode::kAlreadyExists:
      return kExitExists;
    case absl::StatusCode::kCancelled:
      return kExitInterrupted;
    default:
      return kExitInternal;
  }
}

}  // namespace fargraph
