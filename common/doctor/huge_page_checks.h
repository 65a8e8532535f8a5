#ifndef FARGRAPH_COMMON_DOCTOR_HUGE_PAGE_CHECKS_H_
#define FARGRAPH_COMMON_DOCTOR_HUGE_PAGE_CHECKS_H_

#include <cstdint>
#include <vector>

#include "common/doctor/finding.h"
#include "common/doctor/host_view.h"

namespace fargraph::doctor {

/// How much of what this node is to use or lend can be on the reserved huge pages that are free; it
/// may be less than they have. What is lent is one mapping, so on pages of one size, and those of 1
/// GiB are not for every mapping.
uint64_t HugePageBytes(const HostView& host);

/// The reserved huge pages that are free, by size and NUMA node, and whether they hold what this
/// node is to use or lend.
std::vector<Finding> CheckHugePages(const HostView& host);

/// Whether the kernel makes huge pages of ordinary memory, on which vertex state lies.
std::vector<Finding> CheckTransparentPages(const HostView& host);

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMMON_DOCTOR_HUGE_PAGE_CHECKS_H_
