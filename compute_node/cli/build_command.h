#ifndef FARGRAPH_COMPUTE_NODE_CLI_BUILD_COMMAND_H_
#define FARGRAPH_COMPUTE_NODE_CLI_BUILD_COMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "graph/builder.h"

namespace fargraph {

/// The flags with which `fargraph convert` and `fargraph generate` build a graph.
std::vector<absl::string_view> BuildFlags();

/// Builds the graph directory `output` as the flags say, showing progress, and prints what came of
/// it. `input_bytes`: the size of the file that is read, 0 when there is none.
absl::Status BuildAndReport(const EdgeReaderFactory& open, const std::string& output,
                            uint64_t input_bytes);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_BUILD_COMMAND_H_
