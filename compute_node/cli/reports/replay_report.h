#ifndef FARGRAPH_COMPUTE_NODE_CLI_REPORTS_REPLAY_REPORT_H_
#define FARGRAPH_COMPUTE_NODE_CLI_REPORTS_REPLAY_REPORT_H_

#include <string>
#include <vector>

#include "compute_node/replay/replay.h"
#include "nlohmann/json.hpp"

namespace fargraph {

/// A replayed trace, for `fargraph replay` to show.
struct ReplayReport {
  std::string path;  ///< of the trace
  BlockTrace trace;
  ReplayOptions options;
  std::string target;  ///< what was read; empty if nothing was
  uint32_t depth = 0;  ///< reads in flight there
  std::vector<ReplayOutcome> outcomes;
};

/// A table with a line for each way, for people.
std::string ReplayReportText(const ReplayReport& report);
/// The same for machines; fields as in docs/command-line.md.
nlohmann::ordered_json ReplayReportJson(const ReplayReport& report);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_REPORTS_REPLAY_REPORT_H_
