#ifndef FARGRAPH_COMPUTE_NODE_CLI_REPORTS_TOP_REPORT_H_
#define FARGRAPH_COMPUTE_NODE_CLI_REPORTS_TOP_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/control/memory_node_client.h"

namespace fargraph {

/// A memory node at one moment, for `fargraph top` to show.
struct NodeState {
  std::string address;
  absl::StatusOr<MemoryNodeStats> stats;  ///< or why there are none
};

/// A table with a line for each node, and below it one for each of its clients.
std::string TopText(const std::vector<NodeState>& nodes);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_REPORTS_TOP_REPORT_H_
