#include "common/host/lock_limit.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

namespace fargraph {
namespace {

/// A thread with CAP_IPC_LOCK is not bound by RLIMIT_MEMLOCK.
bool MayLockWithoutLimit() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data = {};
  if (syscall(SYS_capget, &header, data.data()) != 0) return false;
  return (data[CAP_TO_INDEX(CAP_IPC_LOCK)].effective & CAP_TO_MASK(CAP_IPC_LOCK)) != 0;
}

}  // namespace

std::optional<uint64_t> LockLimitBytes() {
  rlimit memlock = {};
  getrlimit(RLIMIT_MEMLOCK, &memlock);
  if (memlock.rlim_cur == RLIM_INFINITY || MayLockWithoutLimit()) return std::nullopt;
  return memlock.rlim_cur;
}

}  // namespace fargraph
