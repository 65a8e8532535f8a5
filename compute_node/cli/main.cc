#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <new>

#include "common/exit_code.h"
#include "common/host/open_files.h"
#include "common/host/process_memory.h"
#include "common/log/log.h"
#include "compute_node/cli/command_line.h"
#include "compute_node/cli/interruption.h"
#include "compute_node/cli/job_threads.h"

namespace fargraph {
namespace {

/// A reader that went away and a file that outgrows its limit are errors of the write, so that the
/// command ends as after any other error.
void TurnSignalsIntoWriteErrors() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

/// Takes the numbers of standard streams that are closed, or a file that is opened later would have
/// one and get what is meant for the stream. Using the stream stays an error.
void OccupyStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
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
  fargraph::OccupyStandardStreams();
  fargraph::StartLogging(argv[0]);
  fargraph::TurnSignalsIntoWriteErrors();
  fargraph::CatchInterruptions();
  fargraph::ReturnLargeArrays();
  fargraph::KeepStacksSmall();
  fargraph::LimitThreads();
  fargraph::RaiseOpenFileLimit();
  const absl::Status status = fargraph::Run(argc, argv);
  if (!status.ok()) fargraph::SayWhyItEnds("fargraph", status);
  return fargraph::ExitCodeFor(status);
}
