#include "common/transport/verbs/rejection.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "common/transport/verbs/handshake.h"

namespace fargraph::transport::verbs {
namespace {

/// Reasons of a rejection, as InfiniBand's connection manager numbers them.
constexpr int kStaleConnection = 10;
/// From the listening program, or, with no private data, from the kernel in its stead: the program
/// has ended, or has too many connections waiting to be accepted.
constexpr int kRejectedByListener = 28;

absl::Status RejectedByListener(absl::string_view peer,
                                const std::optional<ConnectRefusal>& refusal) {
  if (!refusal.has_value()) {
    return absl::UnavailableError(
        absl::StrCat("the memory node at ", peer,
                     " ended the connection before it was made; see that it is running"));
  }
  switch (refusal->reason) {
    case Refusal::kOutOfResources:
      return absl::UnavailableError(
          absl::StrCat("the memory node at ", peer, " has no resources for one more connection"));
    case Refusal::kOtherDevice:
      return absl::UnavailableError(
          absl::StrCat("the memory node at ", peer,
                       " serves another of its host's RDMA devices than the one at this address; "
                       "use an address of that device"));
    case Refusal::kNotAdmitted:
      break;
  }
  return absl::PermissionDeniedError(
      absl::StrCat("the memory node at ", peer,
                   " does not admit this connection: its ticket is unknown there or has expired"));
}

}  // namespace

absl::Status RejectionError(absl::string_view peer, const rdma_cm_event& rejected) {
  switch (rejected.status) {
    case kRejectedByListener:
      return RejectedByListener(peer, ReadPrivateData<ConnectRefusal>(rejected.param.conn));
    case kStaleConnection:
      return absl::UnavailableError(
          absl::StrCat("the host of the memory node at ", peer,
                       " took this connection for an earlier one, which it ends now; try again"));
    default:
      return absl::UnavailableError(absl::StrCat("nobody listens for RDMA connections at ", peer,
                                                 " (reason ", rejected.status, ")"));
  }
}

}  // namespace fargraph::transport::verbs
