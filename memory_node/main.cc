#include <pthread.h>
#include <signal.h>

#include <iostream>

#include "absl/time/clock.h"
#include "common/exit_code.h"
#include "common/host/open_files.h"
#include "common/log/json_line.h"
#include "common/log/log.h"
#include "common/status_macros.h"
#include "glog/logging.h"
#include "memory_node/memory_node.h"
#include "memory_node/options.h"

namespace {

/// SIGINT and SIGTERM, blocked here and so in every thread that starts later: main waits for them.
sigset_t BlockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

/// The line that says that the node is ready, in the format of the log.
std::string ReadyLine(const fargraph::MemoryNode& node) {
  if (!fargraph::LogIsJson()) return node.Description();
  return fargraph::FormatJsonLine(
      {.time = absl::Now(), .severity = "INFO", .source = "main.cc", .message = node.Description()},
      {{{"address", node.address()}}});
}

absl::Status Run(int argc, char** argv) {
  FARGRAPH_ASSIGN_OR_RETURN(const fargraph::CommandLine command,
                            fargraph::ParseCommandLine({argv + 1, static_cast<size_t>(argc - 1)}));
  if (command.help) {
    std::cout << fargraph::HelpText();
    return absl::OkStatus();
  }
  if (command.version) {
    std::cout << "fargraph-memory-node " FARGRAPH_VERSION "\n";
    return absl::OkStatus();
  }
  fargraph::StartLogging(argv[0], command.verbose);
  FARGRAPH_RETURN_IF_ERROR(fargraph::SetLogFormat(command.log_format));
  const sigset_t stop_signals = BlockStopSignals();
  signal(SIGPIPE, SIG_IGN);  // whoever read the line below may be gone

  FARGRAPH_ASSIGN_OR_RETURN(const auto node, fargraph::MemoryNode::Start(command.node));
  std::cout << ReadyLine(*node) << '\n' << std::flush;
  int received = 0;
  sigwait(&stop_signals, &received);
  LOG(INFO) << "stopping";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  fargraph::RaiseOpenFileLimit();
  const absl::Status status = Run(argc, argv);
  if (!status.ok()) fargraph::SayWhyItEnds("fargraph-memory-node", status);
  return fargraph::ExitCodeFor(status);
}
