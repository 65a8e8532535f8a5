#include "compute_node/job_forecast.h"

#include <omp.h>

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/process_memory.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/forecast/memory_probe.h"

namespace fargraph {
namespace {

constexpr double kFarRatios[] = {0, 0.5, 0.8, 0.95, 1};

/// What a process that has planned a job still takes beside the segments, for any graph: code that
/// it has not run yet, stacks of threads.
constexpr uint64_t kGrowthBytes = 512 * kKiB;

/// What the forecasts of a job have in common.
struct Job {
  const JobInputs& inputs;
  std::vector<PastRuns> past;
  uint64_t process_bytes = 0;
  double local_seconds = 0;  ///< all local, if the job has not run yet
};

/// Of a job that has not run yet, all local.
double EstimateSeconds(const JobId& job, const JobInputs& inputs, const RunHistory& history) {
  constexpr double kReadsPerUnit = 0.25;  // most reads hit the cache
  const double work = WorkOf(inputs);
  const std::optional<double> elsewhere = history.SecondsPerUnit(job, work);
  if (elsewhere) return *elsewhere * work;
  const uint64_t state_bytes = inputs.files.manifest().vertices * sizeof(VertexId);
  return work * kReadsPerUnit / RandomReadsPerSecond(state_bytes);
}

PlacementForecast ForecastPlacement(const JobPlan& plan, const Job& job) {
  const PlacementPlan& placement = plan.placement;
  const Kernel& kernel = *job.inputs.kernel;
  const KernelOptions& kernel_options = job.inputs.kernel_options;
  const PlannedRun run = {.placement = PlacementOf(plan),
                          .threads = static_cast<uint32_t>(omp_get_max_threads()),
                          .link = plan.place.link,
                          .far_bytes = placement.far_bytes,
                          .chunk_bytes = plan.place.tuning.chunk_bytes,
                          .list_reads = kernel.ListReads(kernel_options, placement.CopyBytes() > 0),
                          .local_seconds = job.local_seconds};
  return {.far_ratio = placement.FarRatio(),
          .peak_memory_bytes = placement.local_bytes + job.process_bytes,
          .run = Forecast(run, job.past)};
}

std::string HostOf(const std::string& address) { return address.substr(0, address.rfind(':')); }

}  // namespace

JobId IdentifyJob(const JobOptions& options, const JobInputs& inputs) {
  std::string kernel_options =
      options.precision == Precision::kSingle ? "precision=single" : "precision=double";
  if (options.sources) absl::StrAppend(&kernel_options, " sources=", *options.sources);
  if (options.iterations) absl::StrAppend(&kernel_options, " iterations=", *options.iterations);
  if (options.tolerance) absl::StrAppend(&kernel_options, " tolerance=", *options.tolerance);
  if (options.delta) absl::StrAppend(&kernel_options, " delta=", *options.delta);
  return {.host = LocalHostId(),
          .graph = inputs.files.manifest().content_id,
          .kernel = options.algorithm,
          .options = std::move(kernel_options),
          .threads = static_cast<uint32_t>(omp_get_max_threads())};
}

double WorkOf(const JobInputs& inputs) {
  constexpr double kEdgesPerVertex = 32;
  const GraphManifest& graph = inputs.files.manifest();
  const double reads = inputs.kernel->ListReads(inputs.kernel_options, graph.heads > 0);
  return 1 + kEdgesPerVertex * static_cast<double>(graph.vertices) +
         reads * static_cast<double>(graph.edges);
}

ListPlacement PlacementOf(const JobPlan& plan) {
  ListPlacement placement = {.far_ratio = plan.placement.FarRatio(),
                             .copy_bytes = plan.placement.CopyBytes(),
                             .compressed = plan.place.compressed};
  if (placement.far_ratio == 0) return placement;
  const FarMemory& far_memory = *plan.place.far_memory;
  placement.transport = std::string(transport::KindName(far_memory.transport()));
  if (far_memory.transport() == transport::Kind::kShm) return placement;
  for (const MemoryNodeName& node : far_memory.nodes())
    placement.hosts.push_back(HostOf(node.address));
  return placement;
}

absl::StatusOr<JobForecast> ForecastJob(const JobOptions& options, const JobInputs& inputs,
                                        const JobPlan& plan, JobPlanner& planner) {
  ReleaseFreeMemory();
  const RunHistory history(options.run_history_path);
  Job job = {.inputs = inputs, .process_bytes = MemoryBytes() + kGrowthBytes};
  const JobId id = IdentifyJob(options, inputs);
  job.past = history.Find(id);
  if (job.past.empty()) job.local_seconds = EstimateSeconds(id, inputs, history);

  const GraphManifest& graph = inputs.files.manifest();
  JobForecast forecast = {.algorithm = options.algorithm,
                          .graph = options.graph_path,
                          .vertices = graph.vertices,
                          .edges = graph.edges,
                          .threads = static_cast<uint32_t>(omp_get_max_threads()),
                          .transport = "local",
                          .placement = plan.placement,
                          .chunk_bytes = plan.place.tuning.chunk_bytes,
                          .buffers = plan.place.tuning.slots,
                          .compressed = plan.place.compressed,
                          .link = plan.place.link,
                          .process_bytes = job.process_bytes,
                          .planned = ForecastPlacement(plan, job)};
  FARGRAPH_ASSIGN_OR_RETURN(forecast.smallest_budget, planner.SmallestBudget());
  if (inputs.far_memory == nullptr) return forecast;
  forecast.transport = std::string(transport::KindName(inputs.far_memory->transport()));
  for (const double far_ratio : kFarRatios) {
    FARGRAPH_ASSIGN_OR_RETURN(const JobPlan other, planner.PlanAt(far_ratio));
    forecast.others.push_back(ForecastPlacement(other, job));
  }
  return forecast;
}

absl::StatusOr<JobForecast> ForecastJob(const JobOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(const JobInputs inputs, OpenJob(options));
  JobPlanner planner(options, inputs);
  FARGRAPH_ASSIGN_OR_RETURN(const JobPlan plan, planner.Plan());
  return ForecastJob(options, inputs, plan, planner);
}

}  // namespace fargraph
