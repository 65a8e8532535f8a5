#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <new>

#include "common/exit_code.h"
#include "common/log/log.h"
#include "common/process_memory.h"
#include "compute_node/cli/command_line.h"
#include "compute_node/cli/interruption.h"
#include "compute_node/cli/threads_flag.h"

namespace fargraph {
namespace {

/// A reader that went away and a file that outgrows its limit are errors of the write, so that the
/// command ends as after any other error.
void TurnSignalsIntoWriteErrors() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

/// Standard streams that are closed lead to /dev/null. Else a file that is opened later would have
/// one's number, and get what is meant for it.
void OpenStandardStreams() {
  int fd = open("/dev/null", O_RDWR);
  while (fd >= STDIN_FILENO && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDWR);
  if (fd > STDERR_FILENO) close(fd);
}

absl::Status Run(int argc, char** argv) {
  try {
    return RunCommandLine(absl::MakeConstSpan(argv, argc).subspan(1), FARGRAPH_VERSION);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        "this machine's memory is used up; take a smaller graph or a machine with more memory");
  }
}

}  // namespace
}  // namespace fargraph

int main(int argc, char** argv) {
  fargraph::OpenStandardStreams();
  fargraph::StartLogging(argv[0]);
  fargraph::TurnSignalsIntoWriteErrors();
  fargraph::CatchInterruptions();
  fargraph::ReturnLargeArrays();
  fargraph::KeepStacksSmall();
  fargraph::LimitThreads();
  const absl::Status status = fargraph::Run(argc, argv);
  if (!status.ok()) fargraph::SayWhyItEnds("fargraph", status);
  return fargraph::ExitCodeFor(status);
}
