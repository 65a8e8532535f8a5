#ifndef FARGRAPH_COMMON_HOST_LOCK_LIMIT_H_
#define FARGRAPH_COMMON_HOST_LOCK_LIMIT_H_

#include <cstdint>
#include <optional>

namespace fargraph {

/// The bytes of memory that the calling thread may lock, and so register with an RDMA device
/// (RLIMIT_MEMLOCK); nullopt where no limit binds it, as with CAP_IPC_LOCK. Any thread may call.
std::optional<uint64_t> LockLimitBytes();

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_HOST_LOCK_LIMIT_H_
