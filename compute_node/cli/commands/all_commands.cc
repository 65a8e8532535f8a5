#include "compute_node/cli/command.h"

namespace fargraph {

std::vector<const Command*> AllCommands() {
  return {&ConvertCommand(), &GenerateCommand(), &InfoCommand(),    &RunCommand(),
          &PlanCommand(),    &PlaceCommand(),    &RegionsCommand(), &ProbeCommand(),
          &ReplayCommand(),  &DoctorCommand(),   &TopCommand()};
}

}  // namespace fargraph
