#ifndef FARGRAPH_COMPUTE_NODE_CLI_HELP_H_
#define FARGRAPH_COMPUTE_NODE_CLI_HELP_H_

#include <string>

#include "compute_node/cli/command.h"

namespace fargraph {

/// "fargraph convert IN OUT [flags]"
std::string Synopsis(const Command& command);

/// What `fargraph help` prints.
std::string OverviewHelp();

/// What `fargraph help COMMAND` prints.
std::string CommandHelp(const Command& command);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_HELP_H_
