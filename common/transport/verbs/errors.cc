#include "common/transport/verbs/errors.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "common/units.h"

namespace fargraph::transport::verbs {
namespace {

/// A process with CAP_IPC_LOCK is not bound by RLIMIT_MEMLOCK.
bool MayLockWithoutLimit() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data = {};
  if (syscall(SYS_capget, &header, data.data()) != 0) return false;
  return (data[CAP_TO_INDEX(CAP_IPC_LOCK)].effective & CAP_TO_MASK(CAP_IPC_LOCK)) != 0;
}

}  // namespace

absl::Status VerbsError(absl::string_view doing, int error) {
  rlimit memlock = {};
  getrlimit(RLIMIT_MEMLOCK, &memlock);
  if (error == ENOMEM && memlock.rlim_cur != RLIM_INFINITY && !MayLockWithoutLimit()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "cannot ", doing, ": the limit on locked memory (RLIMIT_MEMLOCK) is ",
        FormatBytes(memlock.rlim_cur),
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
