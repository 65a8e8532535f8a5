#ifndef FARGRAPH_COMMON_DOCTOR_CHECK_HOST_H_
#define FARGRAPH_COMMON_DOCTOR_CHECK_HOST_H_

#include <vector>

#include "common/doctor/finding.h"
#include "common/doctor/host_view.h"

namespace fargraph::doctor {

/// Every check of a host that can be made from it alone, whatever kind of node it is, in the order
/// of docs/doctor.md.
std::vector<Finding> CheckHost(const HostView& host);

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMMON_DOCTOR_CHECK_HOST_H_
