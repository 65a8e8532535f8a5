#ifndef FARGRAPH_COMPUTE_NODE_CLI_REPORTS_LINK_REPORT_H_
#define FARGRAPH_COMPUTE_NODE_CLI_REPORTS_LINK_REPORT_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "compute_node/tiers/link_sweep.h"
#include "nlohmann/json.hpp"

namespace fargraph {

/// A measured link, for `fargraph probe` to show.
struct LinkReport {
  std::vector<std::string> endpoints;  ///< memory nodes, or directories of SSDs
  std::string transport;
  LinkSweep sweep;
  absl::Time measured;
};

/// The measurements as a table, the fit and the choice, for people. `now`: to say how old it is.
std::string LinkReportText(const LinkReport& report, absl::Time now);
/// The same for machines; fields as in docs/command-line.md.
nlohmann::ordered_json LinkReportJson(const LinkReport& report);
/// Throughput over read size, a line for each depth with its fit, and the choice: an SVG file.
std::string LinkReportPicture(const LinkReport& report);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_REPORTS_LINK_REPORT_H_
