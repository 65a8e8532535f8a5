#ifndef FARGRAPH_COMPUTE_NODE_DOCTOR_REPORT_H_
#define FARGRAPH_COMPUTE_NODE_DOCTOR_REPORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "common/doctor/finding.h"
#include "nlohmann/json.hpp"

namespace fargraph::doctor {

/// What was found of one node.
struct NodeFindings {
  std::string node;  ///< "this host", or HOST:PORT of a memory node
  std::vector<Finding> findings;
};

/// Of all nodes together.
size_t Count(const std::vector<NodeFindings>& nodes, Level level);

/// A line a finding: level, check, value, and what mends it behind "->".
std::string ReportText(const std::vector<NodeFindings>& nodes);
/// The same for machines; fields as in docs/doctor.md.
nlohmann::ordered_json ReportJson(const std::vector<NodeFindings>& nodes);

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMPUTE_NODE_DOCTOR_REPORT_H_
