#ifndef FARGRAPH_COMPUTE_NODE_CLI_REPORTS_JOB_REPORT_H_
#define FARGRAPH_COMPUTE_NODE_CLI_REPORTS_JOB_REPORT_H_

#include <string>

#include "compute_node/job/job.h"
#include "nlohmann/json.hpp"

namespace fargraph {

/// What --json writes: the report's fields, then the kernel's answer, all at the top level.
nlohmann::ordered_json JobReportJson(const JobReport& report);

/// What a person wants to know of a run, in a few aligned lines.
std::string JobReportText(const JobReport& report);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_REPORTS_JOB_REPORT_H_
