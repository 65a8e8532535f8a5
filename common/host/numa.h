#ifndef FARGRAPH_COMMON_HOST_NUMA_H_
#define FARGRAPH_COMMON_HOST_NUMA_H_

#include <map>
#include <optional>
#include <set>
#include <string>

/// What the kernel's files tell of NUMA nodes. Any thread may call.
namespace fargraph {

/// The nodes that have processors, each with those of them that this process may run on, perhaps
/// none. `root`: put before /sys and /proc.
std::map<int, std::set<int>> NumaNodes(const std::string& root);

/// The node of a device, or of the first that it hangs on that has one; nullopt where the host does
/// not tell. `directory`: the device's, in /sys.
std::optional<int> NumaNodeOfDevice(const std::string& directory);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_HOST_NUMA_H_
