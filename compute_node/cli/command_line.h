#ifndef FARGRAPH_COMPUTE_NODE_CLI_COMMAND_LINE_H_
#define FARGRAPH_COMPUTE_NODE_CLI_COMMAND_LINE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace fargraph {

/// Does what the arguments (argv without the program's name) ask for. The error is one sentence;
/// its code decides the exit code (common/exit_code.h). Reads gflags: call it once at a time, from
/// main's thread.
absl::Status RunCommandLine(absl::Span<const char* const> arguments, absl::string_view version);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_COMMAND_LINE_H_
