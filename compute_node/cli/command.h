#ifndef FARGRAPH_COMPUTE_NODE_CLI_COMMAND_H_
#define FARGRAPH_COMPUTE_NODE_CLI_COMMAND_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace fargraph {

/// One word after `fargraph`, with all that help and the parser have to know of it.
struct Command {
  absl::string_view name;
  std::vector<absl::string_view> arguments;  ///< "IN", "OUT": what has to be named, in this order
  absl::string_view summary;                 ///< one line
  std::string (*details)();                  ///< what a user has to know besides the flags
  std::vector<absl::string_view> flags;      ///< no other is accepted
  /// Flags of a file name that may stand without one, as --json: standard output.
  std::vector<absl::string_view> file_flags_to_stdout = {};
  /// Flags have been read; `arguments` are as many as the command names.
  absl::Status (*run)(const std::vector<std::string>& arguments);
};

const Command& ConvertCommand();
const Command& GenerateCommand();
const Command& InfoCommand();
const Command& RunCommand();
const Command& PlanCommand();
const Command& PlaceCommand();
const Command& RegionsCommand();
const Command& ProbeCommand();
const Command& ReplayCommand();
const Command& DoctorCommand();
const Command& TopCommand();

/// In the order in which help lists them.
std::vector<const Command*> AllCommands();

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_COMMAND_H_
