#include <unistd.h>

#include <atomic>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/files/output_file.h"
#include "common/status_macros.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/flags/memory_node_flags.h"
#include "compute_node/cli/interruption.h"
#include "compute_node/cli/reports/top_report.h"
#include "gflags/gflags.h"

DEFINE_bool(once, false, "Print one table and end, as where there is no terminal");

namespace fargraph {
namespace {

constexpr absl::Duration kPause = absl::Seconds(2);
/// Cursor to the upper left corner; and erase all below.
constexpr char kHome[] = "\x1b[H\x1b[J";

std::string Details() {
  return R"(
Shows of each memory node what it has to lend and has lent, its regions, and its
clients with the bytes a second that they move by their own count; renewed every
two seconds until Ctrl-C. A client tells its node with every renewal of its
lease, so a rate is one over a few seconds.
)";
}

NodeState Ask(const std::string& address, const std::string& token) {
  const auto client = MemoryNodeClient::Connect(address, {.token = token});
  if (!client.ok()) return {address, client.status()};
  return {address, (*client)->Stats()};
}

std::vector<NodeState> AskAll(const std::vector<std::string>& addresses, const std::string& token) {
  std::vector<NodeState> nodes;
  for (const std::string& address : addresses) nodes.push_back(Ask(address, token));
  return nodes;
}

/// Shows what there is, and then fails for the first node that did not answer.
absl::Status ShowOnce(const std::vector<NodeState>& nodes) {
  FARGRAPH_RETURN_IF_ERROR(WriteWholeFile("-", TopText(nodes)));
  for (const NodeState& node : nodes) FARGRAPH_RETURN_IF_ERROR(node.stats.status());
  return absl::OkStatus();
}

void Pause() {
  const absl::Time end = absl::Now() + kPause;
  while (absl::Now() < end && !*Interrupted()) absl::SleepFor(absl::Milliseconds(50));
}

absl::Status Top(const std::vector<std::string>&) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> addresses, MemoryNodesFlag());
  if (addresses.empty()) {
    return absl::InvalidArgumentError("--memory_nodes is missing: say which to show");
  }
  FARGRAPH_ASSIGN_OR_RETURN(const std::string token, TokenFlag());
  if (FLAGS_once || isatty(STDOUT_FILENO) == 0) return ShowOnce(AskAll(addresses, token));
  while (!*Interrupted()) {
    const std::vector<NodeState> nodes = AskAll(addresses, token);
    FARGRAPH_RETURN_IF_ERROR(WriteWholeFile("-", absl::StrCat(kHome, TopText(nodes))));
    Pause();
  }
  return absl::OkStatus();
}

}  // namespace

const Command& TopCommand() {
  static const auto& command =
      *new Command{.name = "top",
                   .arguments = {},
                   .summary = "Shows memory nodes while they work: capacity, clients, bytes/s.",
                   .details = Details,
                   .flags = {"memory_nodes", "token_file", "once"},
                   .run = Top};
  return command;
}

}  // namespace fargraph
