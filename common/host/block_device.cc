#include "common/host/block_device.h"

#include <sys/sysmacros.h>

#include "absl/strings/str_cat.h"
#include "common/host/kernel_files.h"

namespace fargraph {

std::string BlockDeviceDirectory(dev_t device) {
  return absl::StrCat("/sys/dev/block/", major(device), ":", minor(device));
}

std::optional<int64_t> BlockQueueSetting(const std::string& directory, const std::string& name) {
  const auto own = ReadKernelNumber(absl::StrCat(directory, "/queue/", name));
  return own.has_value() ? own : ReadKernelNumber(absl::StrCat(directory, "/../queue/", name));
}

}  // namespace fargraph
