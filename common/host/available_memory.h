#ifndef FARGRAPH_COMMON_HOST_AVAILABLE_MEMORY_H_
#define FARGRAPH_COMMON_HOST_AVAILABLE_MEMORY_H_

#include <cstdint>
#include <string>

namespace fargraph {

/// What this process can take before the kernel ends some process for want of memory.
struct AvailableMemory {
  uint64_t bytes = UINT64_MAX;  ///< the most, where the kernel does not tell
  std::string limited_by;       ///< a file: the host's /proc/meminfo, or the limit of a cgroup
};

/// Whether swap that may be used is memory.
enum class Swap : uint8_t { kCounts, kDoesNot };

/// The least of what the host has left and of what the cgroups that hold this process have. Page
/// cache counts as left: it goes when others want its memory. `root`: put before /proc and /sys.
/// Any thread may call.
AvailableMemory ReadAvailableMemory(Swap swap, const std::string& root = "");

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_HOST_AVAILABLE_MEMORY_H_
