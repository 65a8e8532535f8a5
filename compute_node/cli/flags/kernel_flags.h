#ifndef FARGRAPH_COMPUTE_NODE_CLI_FLAGS_KERNEL_FLAGS_H_
#define FARGRAPH_COMPUTE_NODE_CLI_FLAGS_KERNEL_FLAGS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

/// The flags that only some kernels take, as these declare them (Kernel::takes).
namespace fargraph {

/// InvalidArgument if there is no kernel of that name, and if a flag is set that it does not take:
/// names those that do.
absl::Status CheckKernelFlags(absl::string_view kernel);

/// For help: a line for each flag, with the kernels that take it.
std::string DescribeKernelFlags();

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_FLAGS_KERNEL_FLAGS_H_
