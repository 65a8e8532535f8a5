#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_MEMLOCK_LIMIT_FOR_TEST_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_MEMLOCK_LIMIT_FOR_TEST_H_

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <thread>

#include "absl/functional/function_ref.h"

namespace fargraph::transport::verbs {

/// Runs `body` under a small RLIMIT_MEMLOCK, bound to it as a user without privileges is. On a
/// thread of its own: the kernel takes an RDMA device away from a thread that has ever changed its
/// credentials.
inline void WithMemlockLimit(uint64_t bytes, absl::FunctionRef<void()> body) {
  rlimit before = {};
  getrlimit(RLIMIT_MEMLOCK, &before);
  rlimit lowered = before;
  lowered.rlim_cur = bytes;
  setrlimit(RLIMIT_MEMLOCK, &lowered);
  std::thread([body] {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> capabilities = {};
    syscall(SYS_capget, &header, capabilities.data());
    capabilities[CAP_TO_INDEX(CAP_IPC_LOCK)].effective &= ~CAP_TO_MASK(CAP_IPC_LOCK);
    syscall(SYS_capset, &header, capabilities.data());
    body();
  }).join();
  setrlimit(RLIMIT_MEMLOCK, &before);
}

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_MEMLOCK_LIMIT_FOR_TEST_H_
