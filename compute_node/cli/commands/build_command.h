#ifndef FARGRAPH_COMPUTE_NODE_CLI_COMMANDS_BUILD_COMMAND_H_
#define FARGRAPH_COMPUTE_NODE_CLI_COMMANDS_BUILD_COMMAND_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/builder.h"

namespace fargraph {

/// The flags with which `fargraph convert` and `fargraph generate` build a graph.
std::vector<absl::string_view> BuildFlags();

/// Has `build` make a graph as the flags say, showing progress, and prints what came of it.
/// `input`: the file that is read; empty when there is none.
absl::Status BuildAndReport(
    const std::function<absl::StatusOr<BuildReport>(const BuildOptions&)>& build,
    const std::string& input);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_COMMANDS_BUILD_COMMAND_H_
