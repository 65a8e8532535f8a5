#ifndef FARGRAPH_COMMON_DOCTOR_MEMORY_CHECKS_H_
#define FARGRAPH_COMMON_DOCTOR_MEMORY_CHECKS_H_

#include <vector>

#include "common/doctor/finding.h"
#include "common/doctor/host_view.h"

namespace fargraph::doctor {

/// Whether the limit on locked memory lets an RDMA device see what this node needs.
std::vector<Finding> CheckLockLimit(const HostView& host);

/// The least limit of the memory cgroup (version 1 or 2) of this process and of those above it.
std::vector<Finding> CheckMemoryCgroup(const HostView& host);

/// What the host and its memory cgroups have left, and whether what this node is to use or lend
/// beside reserved huge pages fits in there.
std::vector<Finding> CheckAvailableMemory(const HostView& host);

/// Whether what should stay in memory can be swapped out.
std::vector<Finding> CheckSwap(const HostView& host);

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMMON_DOCTOR_MEMORY_CHECKS_H_
