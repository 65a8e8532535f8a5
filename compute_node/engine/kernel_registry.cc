#include "compute_node/engine/kernel_registry.h"

#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace fargraph {
namespace {

std::map<std::string, std::unique_ptr<Kernel>, std::less<>>& Kernels() {
  static auto& kernels = *new std::map<std::string, std::unique_ptr<Kernel>, std::less<>>();
  return kernels;
}

}  // namespace

bool RegisterKernel(std::unique_ptr<Kernel> kernel) {
  std::string name(kernel->name());
  return Kernels().emplace(std::move(name), std::move(kernel)).second;
}

absl::StatusOr<const Kernel*> FindKernel(absl::string_view name) {
  const auto found = Kernels().find(name);
  if (found != Kernels().end()) return found->second.get();
  const auto write_name = [](std::string* out, const auto& entry) {
    absl::StrAppend(out, entry.first);
  };
  return absl::InvalidArgumentError(absl::StrCat("there is no algorithm '", name, "'; there are ",
                                                 absl::StrJoin(Kernels(), ", ", write_name)));
}

std::vector<const Kernel*> AllKernels() {
  std::vector<const Kernel*> kernels;
  for (const auto& [name, kernel] : Kernels()) kernels.push_back(kernel.get());
  return kernels;
}

}  // namespace fargraph
