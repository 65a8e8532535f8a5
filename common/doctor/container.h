#ifndef FARGRAPH_COMMON_DOCTOR_CONTAINER_H_
#define FARGRAPH_COMMON_DOCTOR_CONTAINER_H_

#include <string>
#include <vector>

#include "common/doctor/finding.h"
#include "common/doctor/host_view.h"

namespace fargraph::doctor {

/// What the process is contained in: "docker", "podman", "lxc", ...; empty on a host of its own.
std::string ContainerName(const HostView& host);

/// The container, and which of the privileges that Fargraph can use it grants.
std::vector<Finding> CheckContainer(const HostView& host);

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMMON_DOCTOR_CONTAINER_H_
