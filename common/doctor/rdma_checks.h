#ifndef FARGRAPH_COMMON_DOCTOR_RDMA_CHECKS_H_
#define FARGRAPH_COMMON_DOCTOR_RDMA_CHECKS_H_

#include <vector>

#include "common/doctor/finding.h"
#include "common/doctor/host_view.h"

namespace fargraph::doctor {

/// Whether there is an RDMA device; of the one that is used: its addresses in the order in which
/// they are preferred, MTU and read depth.
std::vector<Finding> CheckRdmaDevice(const HostView& host);

/// Of every port of every RDMA device: whether it is active.
std::vector<Finding> CheckRdmaPorts(const HostView& host);

/// Whether this process may open the files in /dev/infiniband that belong to the devices.
std::vector<Finding> CheckRdmaAccess(const HostView& host);

/// Whether the used device may let its writes into memory overtake each other on PCI Express.
std::vector<Finding> CheckRelaxedOrdering(const HostView& host);

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMMON_DOCTOR_RDMA_CHECKS_H_
