#include "compute_node/doctor/report.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace fargraph::doctor {
namespace {

using Json = nlohmann::ordered_json;

std::string Line(const Finding& finding) {
  std::string line =
      absl::StrFormat("%-7s  %-23s  %s", LevelName(finding.level), finding.check, finding.value);
  if (!finding.mend.empty()) absl::StrAppend(&line, "  -> ", finding.mend);
  return absl::StrReplaceAll(line, {{"\n", " "}});
}

}  // namespace

size_t Count(const std::vector<NodeFindings>& nodes, Level level) {
  size_t count = 0;
  for (const NodeFindings& node : nodes) {
    count += std::count_if(node.findings.begin(), node.findings.end(),
                           [&](const Finding& finding) { return finding.level == level; });
  }
  return count;
}

std::string ReportText(const std::vector<NodeFindings>& nodes) {
  std::string text;
  for (const NodeFindings& node : nodes) {
    absl::StrAppend(&text, node.node, "\n");
    for (const Finding& finding : node.findings) absl::StrAppend(&text, Line(finding), "\n");
  }
  return text;
}

Json ReportJson(const std::vector<NodeFindings>& nodes) {
  Json checks = Json::array();
  for (const NodeFindings& node : nodes) {
    for (const Finding& finding : node.findings) {
      checks.push_back({{"node", node.node},
                        {"check", finding.check},
                        {"level", LevelName(finding.level)},
                        {"value", finding.value},
                        {"mend", finding.mend}});
    }
  }
  return {{"problems", Count(nodes, Level::kProblem)},
          {"warnings", Count(nodes, Level::kWarning)},
          {"checks", std::move(checks)}};
}

}  // namespace fargraph::doctor
