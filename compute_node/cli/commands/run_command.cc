#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/files/output_file.h"
#include "common/log/log.h"
#include "common/log/log_fields.h"
#include "common/metrics/metrics_server.h"
#include "common/status_macros.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/flags/flag_values.h"
#include "compute_node/cli/flags/kernel_flags.h"
#include "compute_node/cli/flags/run_options.h"
#include "compute_node/cli/interruption.h"
#include "compute_node/cli/job_threads.h"
#include "compute_node/cli/reports/job_metrics.h"
#include "compute_node/cli/reports/job_report.h"
#include "compute_node/cli/reports/plan_report.h"
#include "compute_node/cli/reports/progress.h"
#include "compute_node/cli/reports/write_json.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/job/job.h"
#include "gflags/gflags.h"
#include "glog/logging.h"

DEFINE_bool(explain, false, "Say on standard error what fargraph plan says, before the job runs");

DEFINE_string(
    metrics_port, "",
    "Port that shows metrics for Prometheus at /metrics while the job runs; 0 takes a free "
    "one. On loopback only, or with --token_file on all addresses, to those who show the "
    "token as the password of user fargraph");

DEFINE_string(log_format, "text",
              "What the job says on standard error: text, or json: each line is a JSON object");

namespace fargraph {
namespace {

std::string RunDetails() {
  std::string text = R"(
GRAPH is a directory made by fargraph convert or fargraph generate. Every edge
is local but those that --far_ratio or --local_memory puts on --memory_nodes or
--ssd_dirs.

KERNEL is one of:
)";
  for (const Kernel* kernel : AllKernels()) {
    absl::StrAppendFormat(&text, "  %-15s %s\n", kernel->name(), kernel->summary());
  }
  return absl::StrCat(text, "\nFlags that only some of them take:\n", DescribeKernelFlags());
}

/// Finds out before the job what would only show after it.
absl::Status CheckAhead(const RunOptions& options) {
  for (const std::string& path : {options.job.output_path, options.json_path,
                                  options.job.iteration_log_path, options.job.read_trace_path}) {
    if (!path.empty()) FARGRAPH_RETURN_IF_ERROR(OutputFile::Check(path));
  }
  return absl::OkStatus();
}

std::vector<absl::string_view> RunCommandFlags() {
  std::vector<absl::string_view> flags = RunFlags();
  flags.push_back("explain");
  flags.push_back("metrics_port");
  flags.push_back("log_format");
  return flags;
}

/// None without --metrics_port.
absl::StatusOr<std::unique_ptr<MetricsServer>> StartMetrics(const JobOptions& job,
                                                            const JobMetrics& metrics) {
  FARGRAPH_ASSIGN_OR_RETURN(const auto port,
                            OptionalWhole("metrics_port", FLAGS_metrics_port, 0, UINT16_MAX));
  if (!port.has_value()) return nullptr;
  const auto start = [&](const std::string& host) {
    return MetricsServer::Start({host, static_cast<uint16_t>(*port)}, job.token,
                                [&metrics] { return metrics.Collect(); });
  };
  if (job.token.empty()) return start("127.0.0.1");
  auto server = start("::");                                  // and IPv4 with it
  return server.ok() ? std::move(server) : start("0.0.0.0");  // this host may have no IPv6
}

/// True if there are memory nodes or SSDs, and nothing says what is to lie there.
bool FarEdgesAreMissing(const JobOptions& job) {
  const bool have_far_tiers = !job.memory_nodes.empty() || !job.ssd_directories.empty();
  return have_far_tiers && !IsSet("far_ratio") && !job.local_memory_bytes;
}

absl::StatusOr<JobReport> RunWithProgress(JobOptions job) {
  Progress progress;
  const auto say = [&progress](absl::string_view news) {
    if (LogIsJson()) {
      LOG(INFO) << news;
    } else {
      progress.Say(news);
    }
  };
  JobMetrics metrics(job.algorithm, job.graph_path);
  FARGRAPH_ASSIGN_OR_RETURN(const auto server, StartMetrics(job, metrics));
  if (server != nullptr) say(absl::StrCat("metrics on ", server->address()));
  job.cancelled = Interrupted();
  job.log = say;
  if (FarEdgesAreMissing(job)) {
    say("far ratio 0: all edges stay local; give --far_ratio or --local_memory");
  }
  if (FLAGS_explain) {
    job.on_plan = [&](const JobForecast& forecast) { say(PlanReportText(forecast)); };
  }
  job.on_load = [&](uint64_t done, uint64_t total) {
    progress.ShowBytes("loading", done, total);
    metrics.ShowLoad(done, total);
  };
  job.on_graph = [&](const Graph& graph) { metrics.BeginRun(graph); };
  job.on_iteration = [&](uint64_t iteration, uint64_t active) {
    if (server != nullptr) metrics.EndIteration(active);
    progress.ShowIteration(iteration, active);
  };
  return RunJob(job);
}

absl::Status Run(const std::vector<std::string>& arguments) {
  FARGRAPH_RETURN_IF_ERROR(SetLogFormat(FLAGS_log_format));
  FARGRAPH_RETURN_IF_ERROR(SetUpThreads());
  FARGRAPH_ASSIGN_OR_RETURN(const RunOptions options, ReadRunOptions(arguments));
  // Until the process ends: the line that says why it ends has them too.
  static const auto& fields =
      *new LogFields({{"algorithm", options.job.algorithm}, {"graph", options.job.graph_path}});
  static_cast<void>(fields);
  FARGRAPH_RETURN_IF_ERROR(CheckAhead(options));
  FARGRAPH_ASSIGN_OR_RETURN(const JobReport report, RunWithProgress(options.job));
  FARGRAPH_RETURN_IF_ERROR(WriteJson(options.json_path, JobReportJson(report)));
  if (options.UsesStandardOutput()) return absl::OkStatus();
  return WriteWholeFile("-", JobReportText(report));
}

}  // namespace

const Command& RunCommand() {
  static const auto& command =
      *new Command{.name = "run",
                   .arguments = {"KERNEL", "GRAPH"},
                   .summary = "Runs an algorithm on a graph, its edges local or far.",
                   .details = RunDetails,
                   .flags = RunCommandFlags(),
                   .run = Run};
  return command;
}

}  // namespace fargraph
