#include "compute_node/job/job_forecast.h"

#include <omp.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/control/memory_node_client.h"
#include "common/host/process_memory.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/forecast/list_sample.h"
#include "compute_node/forecast/machine_profile.h"
#include "compute_node/loading/job_segments.h"
#include "compute_node/loading/list_loads.h"
#include "compute_node/placement/huge_page_use.h"

namespace fargraph {
namespace {

constexpr double kFarRatios[] = {0, 0.5, 0.8, 0.95, 1};

/// What a process that has planned a job still takes beside the segments, for any graph: code that
/// it has not run yet, stacks of threads.
constexpr uint64_t kGrowthBytes = 1280 * kKiB;

/// What the forecasts of a job have in common.
struct Job {
  const JobInputs& inputs;
  std::vector<PastRuns> past;
  ListSample lists;
  MachineProfile profile;
  Machine machine;
  double slowness = 1;  ///< of the machine, against estimates
  uint64_t process_bytes = 0;
};

Machine MachineOf(const JobId& job, const MachineProfile& profile, const RunHistory& history) {
  return {
      .threads = job.threads, .start_seconds = profile.start_seconds, .jobs = history.FindAll(job)};
}

/// True if the kernel has a use for the heads that the graph has.
bool UsesHeads(const JobInputs& inputs) {
  const Kernel& kernel = *inputs.kernel;
  return inputs.files.manifest().heads > 0 && kernel.out_heads() + kernel.in_heads() > 0;
}

/// True if the first neighbours of every vertex are local, as far as the graph has them.
bool HasHeads(const JobInputs& inputs, const PlacementPlan& placement) {
  return inputs.files.manifest().heads > 0 &&
         (placement.FarRatio() == 0 || placement.CopyBytes() > 0);
}

/// True of a deep search over memory nodes, which comes back to what lies near its frontier.
bool KeepsBlocks(const PlacementPlan& placement) {
  return placement.Holds(CacheBuffer(Direction::kOut)) ||
         placement.Holds(CacheBuffer(Direction::kIn));
}

/// The same with so many bytes of state, which cross the link twice when a list is read once, and
/// to be filled and to come home.
RunForecast WithStateFar(RunForecast forecast, const PlannedRun& run, uint64_t state_bytes) {
  if (state_bytes == 0) return forecast;
  const double carried = 2 * (run.effort.list_reads + 1) * static_cast<double>(state_bytes);
  forecast.bytes_fetched += static_cast<uint64_t>(carried);
  forecast.seconds += carried / run.link.bytes_per_second;
  if (forecast.basis == Basis::kSameRun) forecast.basis = Basis::kOtherRuns;
  return forecast;
}

/// Of the lists that the kernel reads.
absl::StatusOr<ListSample> SampleListsOf(const JobInputs& inputs) {
  for (const ListLoad& load : LoadsFor(inputs.files, *inputs.kernel)) {
    if (load.edges) return SampleLists(inputs.files, load.direction);
  }
  return ListSample{};
}

/// `far_ratio`: as in ListTraits. Of all that it reads, wherever that lies, with 1.
Effort EffortOf(const JobInputs& inputs, const ListSample& lists, double far_ratio,
                bool have_heads) {
  const GraphManifest& graph = inputs.files.manifest();
  return inputs.kernel->EffortOn(graph, inputs.kernel_options,
                                 {.have_heads = have_heads,
                                  .far_ratio = far_ratio,
                                  .kind = KindOf(graph, lists.is_clustered)});
}

/// True if a cache of chunks is what is local of the lists, or would be if anything was.
bool CachesChunks(const PlacementPlan& placement, const Kernel& kernel) {
  if (KeepsBlocks(placement)) return false;
  return placement.CacheBytes() > 0 ||
         (placement.FarRatio() == 1 && kernel.walks() != Walks::kFullScans);
}

/// How what is read goes with the share of the lists that a cache of chunks has no room for: with
/// its square where lists lie near others that are read at the time, since a chunk that comes then
/// serves several, and with the share alone where they lie anywhere. Measured from an SSD with half
/// and 80% of the lists far: 1.6 to 2 on kron22, cnr-2000 and the road network of New York, 1 on
/// urand22.
double ReadsExponent(double scatter) { return 1 + (1 - scatter) * (1 - scatter); }

/// Of a vertex, on the mean, as codes or as edges.
double ListBytes(const JobInputs& inputs, bool compressed) {
  const GraphManifest& graph = inputs.files.manifest();
  uint64_t bytes = graph.edges * sizeof(VertexId);
  for (const ListLoad& load : LoadsFor(inputs.files, *inputs.kernel)) {
    if (load.edges && load.StaysCompressed(compressed))
      bytes = inputs.files.Codes(load.direction).bytes();
  }
  return static_cast<double>(bytes) / static_cast<double>(std::max<uint64_t>(graph.vertices, 1));
}

PlacementForecast ForecastPlacement(const JobPlan& plan, const Job& job) {
  const PlacementPlan& placement = plan.placement;
  const GraphManifest& graph = job.inputs.files.manifest();
  const bool has_heads = HasHeads(job.inputs, placement);
  const auto effort_with = [&](bool heads) {
    return EffortOf(job.inputs, job.lists, /*far_ratio=*/1, heads);
  };
  const auto compute_with = [&](bool heads) {
    return job.slowness * EstimateComputing(effort_with(heads), graph, job.lists.scatter,
                                            job.profile, job.machine.threads);
  };
  // Whole chunks that are kept are there from the beginning.
  const bool keeps_blocks = KeepsBlocks(placement);
  const uint64_t cached_bytes = keeps_blocks ? 0 : placement.CacheBytes();
  const PlannedRun run = {
      .placement = PlacementOf(plan),
      .uses_heads = UsesHeads(job.inputs),
      .link = plan.place.link,
      .far_bytes = placement.far_bytes - placement.FarStateBytes() - cached_bytes,
      .chunk_bytes = plan.place.tuning.chunk_bytes,
      .list_bytes = ListBytes(job.inputs, plan.place.compressed),
      .list_bytes_otherwise = ListBytes(job.inputs, graph.compressed && !plan.place.compressed),
      .keeps_blocks = keeps_blocks,
      .reads_exponent =
          CachesChunks(placement, *job.inputs.kernel) ? ReadsExponent(job.lists.scatter) : 1,
      .effort = EffortOf(job.inputs, job.lists, placement.FarRatio(), has_heads),
      .compute_seconds = compute_with(has_heads),
      .compute_seconds_otherwise = compute_with(!has_heads),
      .decode_seconds =
          job.slowness * EstimateDecoding(effort_with(has_heads), graph, job.machine.threads)};
  return {
      .far_ratio = placement.FarRatio(),
      .peak_memory_bytes = placement.local_bytes - placement.SpareBytes() + job.process_bytes,
      .run = WithStateFar(Forecast(run, job.past, job.machine), run, placement.FarStateBytes())};
}

std::string HostOf(const std::string& address) { return address.substr(0, address.rfind(':')); }

}  // namespace

JobId IdentifyJob(const JobOptions& options, const JobInputs& inputs) {
  std::string kernel_options =
      options.precision == Precision::kSingle ? "precision=single" : "precision=double";
  const uint64_t sources = inputs.kernel->SourceCount(inputs.kernel_options);
  if (sources != 1) absl::StrAppend(&kernel_options, " sources=", sources);
  if (options.iterations) absl::StrAppend(&kernel_options, " iterations=", *options.iterations);
  if (options.tolerance) absl::StrAppend(&kernel_options, " tolerance=", *options.tolerance);
  if (options.delta) absl::StrAppend(&kernel_options, " delta=", *options.delta);
  return {.host = LocalHostId(),
          .graph = inputs.files.manifest().content_id,
          .kernel = options.algorithm,
          .options = std::move(kernel_options),
          .threads = static_cast<uint32_t>(omp_get_max_threads())};
}

absl::StatusOr<double> EstimateComputeSeconds(const JobOptions& options, const JobInputs& inputs,
                                              const JobPlan& plan) {
  const GraphManifest& graph = inputs.files.manifest();
  FARGRAPH_ASSIGN_OR_RETURN(const ListSample lists, SampleListsOf(inputs));
  const Effort effort = EffortOf(inputs, lists, /*far_ratio=*/1, HasHeads(inputs, plan.placement));
  const uint32_t threads = omp_get_max_threads();
  const double decoding = plan.place.compressed ? EstimateDecoding(effort, graph, threads) : 0;
  return decoding + EstimateComputing(effort, graph, lists.scatter,
                                      ProfileMachine(options.machine_profile_path), threads);
}

ListPlacement PlacementOf(const JobPlan& plan) {
  ListPlacement placement = {.far_ratio = plan.placement.FarRatio(),
                             .copy_bytes = plan.placement.CopyBytes(),
                             .compressed = plan.place.compressed};
  if (placement.far_ratio == 0) return placement;
  const FarTiers& far_tiers = *plan.place.far_tiers;
  placement.transport = far_tiers.transport_name();
  if (far_tiers.has_both()) {
    const double bytes = static_cast<double>(plan.placement.TransferableBytes());
    placement.ssd_ratio = static_cast<double>(plan.placement.SsdBytes()) / bytes;
  }
  if (absl::StartsWith(placement.transport, "shm")) return placement;
  for (const FarNode& node : far_tiers.nodes()) placement.hosts.push_back(HostOf(node.address));
  return placement;
}

absl::StatusOr<JobForecast> ForecastJob(const JobOptions& options, const JobInputs& inputs,
                                        const JobPlan& plan, JobPlanner& planner) {
  ReleaseFreeMemory();
  Job job = {.inputs = inputs, .process_bytes = MemoryBytes() + kGrowthBytes};
  const RunHistory history(options.run_history_path);
  const JobId id = IdentifyJob(options, inputs);
  job.past = history.Find(id);
  FARGRAPH_ASSIGN_OR_RETURN(job.lists, SampleListsOf(inputs));
  job.profile = ProfileMachine(options.machine_profile_path);
  job.machine = MachineOf(id, job.profile, history);
  job.slowness = MachineSlowness(job.machine);

  const GraphManifest& graph = inputs.files.manifest();
  JobForecast forecast = {
      .algorithm = options.algorithm,
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
      .huge_pages = ReadHugePages(),
      .huge_pages_wanted = HugePagesWanted(plan.placement, plan.place.tuning.chunk_bytes),
      .planned = ForecastPlacement(plan, job)};
  FARGRAPH_ASSIGN_OR_RETURN(forecast.smallest_budget, planner.SmallestBudget());
  if (inputs.far_tiers == nullptr) return forecast;
  forecast.transport = inputs.far_tiers->transport_name();
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
