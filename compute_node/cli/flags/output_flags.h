#ifndef FARGRAPH_COMPUTE_NODE_CLI_FLAGS_OUTPUT_FLAGS_H_
#define FARGRAPH_COMPUTE_NODE_CLI_FLAGS_OUTPUT_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace fargraph {

/// A flag that names a file to write; an empty path is an absent one.
struct OutputFlag {
  absl::string_view name;  ///< with its dashes
  std::string path;
};

/// InvalidArgument when two of them write to the same place.
absl::Status CheckApart(const std::vector<OutputFlag>& flags);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_FLAGS_OUTPUT_FLAGS_H_
