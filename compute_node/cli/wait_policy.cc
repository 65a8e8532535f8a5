#include "compute_node/cli/wait_policy.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace fargraph {
namespace {

constexpr char kPolicy[] = "OMP_WAIT_POLICY";
constexpr char kSpins[] = "GOMP_SPINCOUNT";

/// With the program's name; none where the host does not tell.
std::vector<std::string> OwnArguments() {
  std::vector<std::string> arguments;
  std::ifstream file("/proc/self/cmdline");
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  return arguments;
}

}  // namespace

void SleepWhileWaiting() {
  if (std::getenv(kPolicy) != nullptr || std::getenv(kSpins) != nullptr) return;
  std::vector<std::string> arguments = OwnArguments();
  if (arguments.empty()) return;
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  setenv(kPolicy, "passive", /*replace=*/0);
  execv("/proc/self/exe", argv.data());
}

}  // namespace fargraph
