#ifndef FARGRAPH_COMPUTE_NODE_DOCTOR_STORAGE_CHECKS_H_
#define FARGRAPH_COMPUTE_NODE_DOCTOR_STORAGE_CHECKS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "common/doctor/finding.h"
#include "common/doctor/host_view.h"

namespace fargraph::doctor {

/// Of a directory of `--ssd_dirs`: whether its file system has direct IO, in what blocks, and the
/// distance of its device. Nothing stays in the directory.
std::vector<Finding> CheckDirectory(const HostView& host, const std::string& directory);

/// The same of a graph's.
std::vector<Finding> CheckGraphDirectory(const HostView& host, const std::string& directory);

/// Whether the host has room for the asynchronous IO of a job with so many SSDs, on as many threads
/// as OpenMP has.
Finding CheckAsyncIo(size_t devices);

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMPUTE_NODE_DOCTOR_STORAGE_CHECKS_H_
