#ifndef FARGRAPH_COMMON_HOST_BLOCK_DEVICE_H_
#define FARGRAPH_COMMON_HOST_BLOCK_DEVICE_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace fargraph {

/// Where the kernel describes the device of files with that st_dev, below /sys, whether it has one
/// (overlay and network file systems have none) or not.
std::string BlockDeviceDirectory(dev_t device);

/// A number in that directory's queue (Linux, ABI/stable/sysfs-block), such as
/// physical_block_size. A partition's queue is that of its disk. nullopt where there is none. Any
/// thread may call.
std::optional<int64_t> BlockQueueSetting(const std::string& directory, const std::string& name);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_HOST_BLOCK_DEVICE_H_
