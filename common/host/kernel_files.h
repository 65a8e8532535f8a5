#ifndef FARGRAPH_COMMON_HOST_KERNEL_FILES_H_
#define FARGRAPH_COMMON_HOST_KERNEL_FILES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

/// The kernel's small files below /sys and /proc. What is not there or cannot be read is empty. Any
/// thread may call.
namespace fargraph {

/// All of a file, as it is.
std::string ReadKernelFile(const std::string& path);

/// The same without white space at either end.
std::string ReadKernelLine(const std::string& path);

/// The number that is all of a file; nullopt for "max" and the like.
std::optional<int64_t> ReadKernelNumber(const std::string& path);

/// The same of a number of things, 0 where there is none.
uint64_t ReadKernelCount(const std::string& path);

/// The number behind a name in a file of lines "NAME NUMBER", or "NAME: NUMBER kB", as it stands
/// there; nullopt where there is none.
std::optional<uint64_t> ReadKernelField(const std::string& path, absl::string_view name);

/// The names in a directory, in order, but . and .. .
std::vector<std::string> ListKernelDirectory(const std::string& path);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_HOST_KERNEL_FILES_H_
