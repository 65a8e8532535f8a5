#include "compute_node/cli/interruption.h"

#include <csignal>

namespace fargraph {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a handler may touch nothing else

void OnSignal(int) { interrupted.store(true); }

}  // namespace

void CatchInterruptions() {
  struct sigaction action {};
  action.sa_handler = OnSignal;
  // RESETHAND: the second signal meets the default action, which ends the process.
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

const std::atomic<bool>* Interrupted() { return &interrupted; }

}  // namespace fargraph
