#ifndef FARGRAPH_COMPUTE_NODE_CLI_REPORTS_PLAN_REPORT_H_
#define FARGRAPH_COMPUTE_NODE_CLI_REPORTS_PLAN_REPORT_H_

#include <string>

#include "compute_node/job/job_forecast.h"
#include "nlohmann/json.hpp"

namespace fargraph {

/// A job before it runs: a table of its segments, one of far ratios, and what else it takes.
std::string PlanReportText(const JobForecast& forecast);

/// The same for machines, in base units.
nlohmann::ordered_json PlanReportJson(const JobForecast& forecast);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_REPORTS_PLAN_REPORT_H_
