#include "common/transport/verbs/errors.h"

#include <cerrno>
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "common/host/lock_limit.h"
#include "common/units.h"

namespace fargraph::transport::verbs {

absl::Status VerbsError(absl::string_view doing, int error) {
  if (const std::optional<uint64_t> limit = LockLimitBytes(); error == ENOMEM && limit) {
    return absl::FailedPreconditionError(absl::StrCat(
        "cannot ", doing, ": the limit on locked memory (RLIMIT_MEMLOCK) is ", FormatBytes(*limit),
        "; raise it with `ulimit -l unlimited`, with the lines `* soft memlock unlimited` and `* "
        "hard memlock unlimited` in /etc/security/limits.d/fargraph.conf, or for a service with "
        "LimitMEMLOCK=infinity in its systemd unit"));
  }
  const std::string text = absl::StrCat("cannot ", doing, ": ", std::strerror(error));
  switch (error) {
    case ENOMEM:
    case ENOSPC:
      return absl::ResourceExhaustedError(text);
    case EACCES:
    case EPERM:
      return absl::FailedPreconditionError(
          absl::StrCat(text, "; give this user access to /dev/infiniband"));
    default:
      return absl::InternalError(text);
  }
}

}  // namespace fargraph::transport::verbs
