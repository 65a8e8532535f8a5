#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_KERNEL_REGISTRY_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_KERNEL_REGISTRY_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compute_node/engine/kernel.h"

namespace fargraph {

/// Enters a kernel under its name; called before main by FARGRAPH_REGISTER_KERNEL. The kernel lives
/// as long as the process.
bool RegisterKernel(std::unique_ptr<Kernel> kernel);

/// The kernel of that name; InvalidArgument lists the names that there are.
absl::StatusOr<const Kernel*> FindKernel(absl::string_view name);

/// All kernels, by name.
std::vector<const Kernel*> AllKernels();

}  // namespace fargraph

/// In a kernel's .cc file: makes `Type`, a Kernel, known to the command. No other file has to
/// change.
#define FARGRAPH_REGISTER_KERNEL(Type) \
  const bool kRegistered##Type = ::fargraph::RegisterKernel(std::make_unique<Type>())

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_KERNEL_REGISTRY_H_
