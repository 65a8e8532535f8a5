#include "common/files/output_file.h"
#include "common/status_macros.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/flags/run_options.h"
#include "compute_node/cli/job_threads.h"
#include "compute_node/cli/reports/plan_report.h"
#include "compute_node/cli/reports/write_json.h"
#include "compute_node/job/job_forecast.h"

namespace fargraph {
namespace {

std::string PlanDetails() {
  return R"(
Shows where fargraph run with the same flags would put each array, how much memory
it would take, and how long, here and at other far ratios. Loads nothing. Times
come from earlier runs of the job where there are any, and else are estimates.
)";
}

absl::Status Plan(const std::vector<std::string>& arguments) {
  FARGRAPH_RETURN_IF_ERROR(SetUpThreads());
  FARGRAPH_ASSIGN_OR_RETURN(const RunOptions options, ReadRunOptions(arguments));
  FARGRAPH_ASSIGN_OR_RETURN(const JobForecast forecast, ForecastJob(options.job));
  FARGRAPH_RETURN_IF_ERROR(WriteJson(options.json_path, PlanReportJson(forecast)));
  if (OutputFile::IsStandardOutput(options.json_path)) return absl::OkStatus();
  return WriteWholeFile("-", PlanReportText(forecast));
}

}  // namespace

const Command& PlanCommand() {
  static const auto& command =
      *new Command{.name = "plan",
                   .arguments = {"KERNEL", "GRAPH"},
                   .summary = "Shows what a run would take, before anything runs.",
                   .details = PlanDetails,
                   .flags = RunFlags(),
                   .file_flags_to_stdout = {"json"},
                   .run = Plan};
  return command;
}

}  // namespace fargraph
