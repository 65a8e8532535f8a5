#ifndef FARGRAPH_COMMON_DOCTOR_NUMA_CHECKS_H_
#define FARGRAPH_COMMON_DOCTOR_NUMA_CHECKS_H_

#include <string>
#include <vector>

#include "common/doctor/finding.h"
#include "common/doctor/host_view.h"

namespace fargraph::doctor {

/// How far a device is from the processors that this process may run on. `name`: for the finding,
/// "NIC mlx5_0"; `directory`: the device's, in /sys; the node is that of the device or of the first
/// above it that has one.
Finding CheckNumaDistance(const HostView& host, const std::string& name,
                          const std::string& directory);

/// The same of the RDMA device that is used.
std::vector<Finding> CheckNicDistance(const HostView& host);

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMMON_DOCTOR_NUMA_CHECKS_H_
