#include "compute_node/cli/flags/output_flags.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "common/files/output_file.h"

namespace fargraph {

absl::Status CheckApart(const std::vector<OutputFlag>& flags) {
  for (size_t i = 0; i < flags.size(); ++i) {
    for (size_t j = i + 1; j < flags.size(); ++j) {
      if (flags[i].path.empty() || flags[j].path.empty()) continue;
      if (!OutputFile::AreSamePlace(flags[i].path, flags[j].path)) continue;
      return absl::InvalidArgumentError(absl::StrCat(flags[i].name, " and ", flags[j].name,
                                                     " both write to '", flags[i].path,
                                                     "'; choose another place for one"));
    }
  }
  return absl::OkStatus();
}

}  // namespace fargraph
