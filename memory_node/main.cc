#include <pthread.h>
#include <signal.h>

#include <iostream>

#include "common/exit_code.h"
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

void StartLogging(const char* program, bool verbose) {
  FLAGS_logtostderr = true;
  FLAGS_minloglevel = verbose ? google::GLOG_INFO : google::GLOG_WARNING;
  FLAGS_v = verbose ? 1 : 0;
  google::InitGoogleLogging(program);
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
  StartLogging(argv[0], command.verbose);
  const sigset_t stop_signals = BlockStopSignals();
  signal(SIGPIPE, SIG_IGN);  // whoever read the line below may be gone

  FARGRAPH_ASSIGN_OR_RETURN(const auto node, fargraph::MemoryNode::Start(command.node));
  std::cout << node->Description() << '\n' << std::flush;
  int received = 0;
  sigwait(&stop_signals, &received);
  LOG(INFO) << "stopping";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const absl::Status status = Run(argc, argv);
  if (!status.ok()) std::cerr << "fargraph-memory-node: " << status.message() << "\n";
  return fargraph::ExitCodeFor(status);
}
