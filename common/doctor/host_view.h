#ifndef FARGRAPH_COMMON_DOCTOR_HOST_VIEW_H_
#define FARGRAPH_COMMON_DOCTOR_HOST_VIEW_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "common/transport/rdma_description.h"

namespace fargraph::doctor {

/// All that the checks of a host look at, so that a test can show them a host of its own.
struct HostView {
  std::string root;  ///< put before the paths of the kernel's files, in /sys, /proc and /dev
  std::optional<uint64_t> lock_limit_bytes;  ///< nullopt: unlimited
  absl::StatusOr<transport::RdmaDescription> rdma;
  bool needs_rdma = false;      ///< no other transport will do
  uint64_t memory_bytes = 0;    ///< what this node is to use or lend; 0: not told
  bool lends = false;           ///< a memory node: all of that in one mapping, which is not swapped
  bool memory_is_held = false;  ///< by the asking process, so what is free does not matter

  /// This host, as this process sees it.
  static HostView OfThisProcess();

  /// The same of a file's path.
  std::string Path(const std::string& path) const { return root + path; }
};

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMMON_DOCTOR_HOST_VIEW_H_
