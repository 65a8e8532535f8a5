#include "compute_node/cli/command.h"

namespace fargraph {

std::vector<const Command*> AllCommands() {
  return {&ConvertCommand(), &InfoCommand(), &RunCommand(), &RegionsCommand()};
}

}  // namespace fargraph
