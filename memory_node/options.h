#ifndef FARGRAPH_MEMORY_NODE_OPTIONS_H_
#define FARGRAPH_MEMORY_NODE_OPTIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "memory_node/memory_node.h"

namespace fargraph {

/// What the command line of fargraph-memory-node asks for.
struct CommandLine {
  bool help = false;  ///< the rest is then not filled in
  bool version = false;
  bool verbose = false;
  std::string log_format;  ///< as SetLogFormat takes it
  MemoryNodeOptions node;
};

/// Reads the arguments without the program's name, and the token file. One sentence for each
/// mistake.
absl::StatusOr<CommandLine> ParseCommandLine(absl::Span<const char* const> arguments);

/// The answer to --help.
std::string HelpText();

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_OPTIONS_H_
