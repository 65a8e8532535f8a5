#include "compute_node/job/job.h"

#include <omp.h>

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/elapsed.h"
#include "common/files/output_file.h"
#include "common/host/process_memory.h"
#include "common/memory/reusable_memory.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/engine/graph.h"
#include "compute_node/job/check_room.h"
#include "compute_node/job/iteration_log.h"
#include "compute_node/job/job_forecast.h"
#include "compute_node/job/job_plan.h"
#include "compute_node/job/load_as_planned.h"
#include "compute_node/loading/load_graph.h"

namespace fargraph {
namespace {

/// Runs the kernel and enters in the report what it took.
absl::StatusOr<KernelResult> RunTrial(const Kernel& kernel, Graph& graph,
                                      const KernelOptions& options, IterationLog& log,
                                      JobReport& report) {
  const uint64_t iterations_before = graph.iterations();
  const uint64_t far_scans_before = graph.far_scans();
  const StreamStats stats_before = graph.stats();
  log.BeginTrial(graph);
  const absl::Time begin = absl::Now();
  FARGRAPH_ASSIGN_OR_RETURN(KernelResult result, kernel.Run(graph, options));
  report.seconds = SecondsSince(begin);
  report.trial_seconds.push_back(report.seconds);
  report.iterations = graph.iterations() - iterations_before;
  const StreamStats stats = graph.stats() - stats_before;
  report.bytes_fetched = stats.bytes_fetched;
  report.bytes_useful = stats.bytes_useful;
  report.requests = stats.requests;
  report.read_pattern = stats.pattern;
  report.far_scans = graph.far_scans() - far_scans_before;
  report.stall_seconds = stats.stall_seconds / omp_get_max_threads();
  return result;
}

/// The result and what the report says are those of the last trial. The state of one is the memory
/// of the next.
absl::StatusOr<KernelResult> RunKernel(const Kernel& kernel, Graph& graph,
                                       const KernelOptions& options, uint64_t trials,
                                       IterationLog& log, JobReport& report) {
  const MemoryReuse reuse;
  KernelResult result;
  for (uint64_t trial = 0; trial < trials; ++trial) {
    result = {};  // so that the memory of two is never held
    FARGRAPH_ASSIGN_OR_RETURN(result, RunTrial(kernel, graph, options, log, report));
  }
  FARGRAPH_RETURN_IF_ERROR(kernel.Summarize(graph, result));
  report.answer = result.answer;
  return result;
}

/// One line of news on how the graph was placed.
void LogPlan(const JobOptions& options, const JobPlan& plan) {
  if (!options.log || plan.place.link.bytes_per_second == 0) return;
  options.log(
      absl::StrCat("link: ", FormatBytes(static_cast<uint64_t>(plan.place.link.bytes_per_second)),
                   "/s; chunks of ", FormatBytes(plan.place.tuning.chunk_bytes), ", ",
                   plan.place.tuning.slots, " buffers a thread"));
}

absl::StatusOr<JobPlan> PlanJob(const JobOptions& options, const JobInputs& inputs) {
  JobPlanner planner(options, inputs);
  FARGRAPH_ASSIGN_OR_RETURN(JobPlan plan, planner.Plan());
  LogPlan(options, plan);
  if (options.on_plan) {
    FARGRAPH_ASSIGN_OR_RETURN(const JobForecast forecast,
                              ForecastJob(options, inputs, plan, planner));
    options.on_plan(forecast);
  }
  return plan;
}

/// News of what is there now.
void LogGraph(const JobOptions& options, const JobInputs& inputs, const LoadedGraph& loaded) {
  if (!options.log) return;
  const bool reads_weights = inputs.kernel->out_lists() == ListUse::kWeightedEdges ||
                             inputs.kernel->in_lists() == ListUse::kWeightedEdges;
  if (reads_weights && inputs.files.manifest().weight_type == WeightType::kNone) {
    options.log(absl::StrCat(options.graph_path, " has no weights: every edge has weight 1"));
  }
  if (!loaded.streams.empty()) {
    options.log(absl::StrCat("read buffers: ", FormatBytes(loaded.rings.size()), " on ",
                             loaded.rings.description()));
  }
}

/// As placed, heads and caches included.
double FarRatio(const LoadedGraph& loaded) {
  if (loaded.far_bytes == 0) return 0;
  const uint64_t local_bytes =
      loaded.edge_bytes - loaded.far_bytes + loaded.head_bytes + loaded.cache_bytes;
  return 1 - static_cast<double>(local_bytes) / static_cast<double>(loaded.edge_bytes);
}

double SsdRatio(const LoadedGraph& loaded) {
  if (loaded.ssd_bytes == 0) return 0;
  return static_cast<double>(loaded.ssd_bytes) / static_cast<double>(loaded.edge_bytes);
}

/// What is known of the job once the graph is loaded.
JobReport StartReport(const JobOptions& options, const JobInputs& inputs, const JobPlan& plan,
                      const LoadedGraph& loaded) {
  JobReport report = {.algorithm = options.algorithm,
                      .graph = options.graph_path,
                      .vertices = inputs.files.manifest().vertices,
                      .edges = inputs.files.manifest().edges,
                      .transport = "local",
                      .far_ratio = FarRatio(loaded),
                      .ssd_ratio = SsdRatio(loaded),
                      .attached = loaded.attached,
                      .link_peak_bytes_per_second = plan.place.link.bytes_per_second,
                      .compressed = plan.place.compressed,
                      .chunk_bytes = plan.place.tuning.chunk_bytes,
                      .buffers = plan.place.tuning.slots};
  if (inputs.far_tiers != nullptr) report.transport = inputs.far_tiers->transport_name();
  return report;
}

/// nullptr where none was asked for. Lists that would be read as one are then read alone.
absl::StatusOr<std::unique_ptr<ReadTrace>> BeginTrace(const JobOptions& options,
                                                      PlaceOptions& place) {
  if (options.read_trace_path.empty()) return nullptr;
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<ReadTrace> trace,
                            ReadTrace::Create(options.read_trace_path));
  place.trace = trace.get();
  place.gaps = {};
  return trace;
}

Graph MakeGraph(const JobOptions& options, const JobInputs& inputs, LoadedGraph& loaded,
                IterationLog& log, ReadTrace* trace) {
  const auto on_iteration = [&options, &log, trace](uint64_t iteration, uint64_t active) {
    if (!options.iteration_log_path.empty()) log.EndIteration(active);
    if (trace != nullptr) trace->BeginIteration();
    if (options.on_iteration) options.on_iteration(iteration, active);
  };
  return TakeGraph(inputs.files, loaded, options.cancelled, on_iteration);
}

/// What a forecast would have begun with. Later ones are made from runs with their state local, and
/// without a trace: nothing of others, nor where the lists are damaged, which this job may not
/// read.
std::optional<double> EstimateToRemember(const JobOptions& options, const JobInputs& inputs,
                                         const JobPlan& plan) {
  const bool is_remembered = !options.run_history_path.empty() && options.read_trace_path.empty() &&
                             plan.placement.FarStateBytes() == 0;
  if (!is_remembered) return std::nullopt;
  const absl::StatusOr<double> seconds = EstimateComputeSeconds(options, inputs, plan);
  return seconds.ok() ? std::optional(*seconds) : std::nullopt;
}

void Remember(const JobOptions& options, const JobInputs& inputs, const JobPlan& plan,
              double estimated_seconds, const JobReport& report) {
  PastRuns run = {.placement = PlacementOf(plan),
                  .seconds = report.trial_seconds,
                  .estimated_seconds = estimated_seconds,
                  .iterations = report.iterations,
                  .far_scans = report.far_scans,
                  .bytes_fetched = report.bytes_fetched,
                  .requests = report.requests,
                  .pattern = report.read_pattern,
                  .chunk_bytes = plan.place.tuning.chunk_bytes,
                  .link = plan.place.link};
  run.seconds = {run.MedianSeconds()};
  RunHistory(options.run_history_path).Add(IdentifyJob(options, inputs), run).IgnoreError();
}

/// What was measured of a link beside something else, as while files were written, would make later
/// plans wrong and their buffers too few for as long as it is kept.
void ForgetDisprovedLinks(const JobOptions& options, const JobInputs& inputs, const JobPlan& plan,
                          const JobReport& report) {
  if (inputs.far_tiers == nullptr ||
      !plan.place.link.IsDisprovedBy(report.bytes_fetched, report.seconds)) {
    return;
  }
  if (options.log) {
    const auto rate = static_cast<uint64_t>(report.bytes_fetched / report.seconds);
    options.log(absl::StrCat("link: carried ", FormatBytes(rate),
                             "/s, more than was measured; the next job measures it anew"));
  }
  ForgetLinks(*inputs.far_tiers, omp_get_max_threads(), LinkCache(options.link_cache_path))
      .IgnoreError();
}

}  // namespace

absl::StatusOr<JobReport> RunJob(const JobOptions& options) {
  const absl::Time load_begin = absl::Now();
  FARGRAPH_ASSIGN_OR_RETURN(const JobInputs inputs, OpenJob(options));
  FARGRAPH_ASSIGN_OR_RETURN(JobPlan plan, PlanJob(options, inputs));
  // It may measure the machine, for which there is memory before there is a graph.
  const std::optional<double> estimated_seconds = EstimateToRemember(options, inputs, plan);

  // What the link was measured with is gone, and was shared with the memory nodes in part.
  ReleaseFreeMemory();
  ForgetPeakMemory();
  FARGRAPH_RETURN_IF_ERROR(CheckRoom(plan));
  FARGRAPH_ASSIGN_OR_RETURN(const std::unique_ptr<ReadTrace> trace,
                            BeginTrace(options, plan.place));
  FARGRAPH_ASSIGN_OR_RETURN(LoadedGraph loaded, LoadAsPlanned(options, inputs, plan));
  LogGraph(options, inputs, loaded);
  JobReport report = StartReport(options, inputs, plan, loaded);
  report.load_seconds = SecondsSince(load_begin);

  IterationLog log;
  Graph graph = MakeGraph(options, inputs, loaded, log, trace.get());
  if (options.on_graph) options.on_graph(graph);
  FARGRAPH_ASSIGN_OR_RETURN(
      const KernelResult result,
      RunKernel(*inputs.kernel, graph, inputs.kernel_options, options.trials, log, report));

  // Verifying may take long and hears no interruption: nothing is half-written meanwhile.
  if (trace != nullptr) FARGRAPH_RETURN_IF_ERROR(trace->Commit());
  if (options.verify) {
    FARGRAPH_RETURN_IF_ERROR(inputs.kernel->Verify(inputs.files, inputs.kernel_options, result));
    report.verified = true;
  }
  if (!options.output_path.empty()) {
    FARGRAPH_RETURN_IF_ERROR(WriteOutput(options.output_path, options.output_format, result.columns,
                                         inputs.files.names(), options.cancelled));
  }
  if (!options.iteration_log_path.empty())
    FARGRAPH_RETURN_IF_ERROR(WriteWholeFile(options.iteration_log_path, log.Csv()));
  report.peak_memory_bytes = PeakMemoryBytes();
  ForgetDisprovedLinks(options, inputs, plan, report);
  if (estimated_seconds) Remember(options, inputs, plan, *estimated_seconds, report);
  return report;
}

}  // namespace fargraph
