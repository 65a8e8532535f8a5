#include "compute_node/cli/flags/kernel_flags.h"

#include <algorithm>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"
#include "compute_node/cli/flags/flag_values.h"
#include "compute_node/engine/kernel_registry.h"

namespace fargraph {
namespace {

using KernelNames = std::vector<absl::string_view>;

std::map<absl::string_view, KernelNames> KernelsByFlag() {
  std::map<absl::string_view, KernelNames> kernels;
  for (const Kernel* kernel : AllKernels()) {
    for (const absl::string_view flag : kernel->takes()) kernels[flag].push_back(kernel->name());
  }
  return kernels;
}

/// "a, b and c do"
std::string TheyDo(KernelNames kernels) {
  const absl::string_view last = kernels.back();
  kernels.pop_back();
  if (kernels.empty()) return absl::StrCat(last, " does");
  return absl::StrCat(absl::StrJoin(kernels, ", "), " and ", last, " do");
}

}  // namespace

absl::Status CheckKernelFlags(absl::string_view kernel) {
  FARGRAPH_RETURN_IF_ERROR(FindKernel(kernel).status());
  for (const auto& [flag, kernels] : KernelsByFlag()) {
    const bool takes_it = std::find(kernels.begin(), kernels.end(), kernel) != kernels.end();
    if (takes_it || !IsSet(flag)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(kernel, " takes no --", flag, "; ", TheyDo(kernels)));
  }
  return absl::OkStatus();
}

std::string DescribeKernelFlags() {
  std::string text;
  for (const auto& [flag, kernels] : KernelsByFlag()) {
    absl::StrAppendFormat(&text, "  %-14s%s\n", absl::StrCat("--", flag),
                          absl::StrJoin(kernels, ", "));
  }
  return text;
}

}  // namespace fargraph
