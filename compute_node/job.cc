#include "compute_node/job.h"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/process_memory.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/placement/list_form.h"
#include "compute_node/placement/load_graph.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/link_tuner.h"
#include "graph/graph_files.h"
#include "graph/vertex_names.h"

namespace fargraph {
namespace {

/// The piece in which threads share a scan when all is local.
constexpr uint64_t kLocalChunkBytes = 64 * kKiB;

double SecondsSince(absl::Time begin) { return absl::ToDoubleSeconds(absl::Now() - begin); }

/// The vertex that the input calls `input_id`. OutOfRange when it has none of that id.
absl::StatusOr<VertexId> FindVertex(uint64_t input_id, const GraphFiles& files) {
  const VertexNames names = files.names();
  if (names.vertices() == 0)
    return absl::OutOfRangeError(absl::StrCat(files.path(), " has no vertices to start from"));
  FARGRAPH_ASSIGN_OR_RETURN(const std::optional<VertexId> vertex, names.Find(input_id));
  if (vertex.has_value()) return *vertex;
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t smallest, names.IdOfRank(0));
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t largest, names.IdOfRank(names.vertices() - 1));
  return absl::OutOfRangeError(absl::StrCat("the source ", input_id, " is not a vertex of ",
                                            files.path(), ", whose ids run from ", smallest, " to ",
                                            largest, "; choose one of those that have edges"));
}

absl::StatusOr<std::unique_ptr<FarMemory>> ConnectFarMemory(const JobOptions& options) {
  if (options.memory_nodes.empty()) return nullptr;
  FARGRAPH_ASSIGN_OR_RETURN(auto far_memory,
                            FarMemory::Connect({.memory_nodes = options.memory_nodes,
                                                .transport = options.transport,
                                                .control = {.token = options.token}}));
  if (options.log) options.log(absl::StrCat("transport: ", far_memory->transport_choice()));
  return far_memory;
}

/// What a job does with its segments and with the link to far memory.
struct Placement {
  PlacementPlan plan;
  PlaceOptions options;
};

bool NeedsTheLink(const JobOptions& options, const std::vector<DataSegment>& segments) {
  if (options.memory_nodes.empty()) return false;
  if (!options.local_memory_bytes.has_value()) return options.far_ratio > 0;
  return PlanAllLocal(segments, *options.local_memory_bytes).local_bytes >
         *options.local_memory_bytes;
}

/// The largest chunk that leaves threads which are done early something to take.
uint64_t LargestFairChunk(uint64_t transferable_bytes) {
  constexpr uint64_t kChunksPerThread = 16;
  const uint64_t fair_bytes = transferable_bytes / (kChunksPerThread * omp_get_max_threads());
  return std::bit_floor(std::max(fair_bytes, kLeastChunkBytes));
}

/// Measures the link to far memory, or remembers it, and fits the chunks to it.
absl::Status FitToLink(const JobOptions& options, uint64_t transferable_bytes,
                       PlaceOptions& place) {
  FARGRAPH_ASSIGN_OR_RETURN(
      const CachedSweep link,
      TuneLink(*place.far_memory, omp_get_max_threads(), LinkCache(options.link_cache_path)));
  const uint64_t tuned =
      std::min(link.sweep.tuning.chunk_bytes, LargestFairChunk(transferable_bytes));
  place.link = link.sweep.profile;
  place.tuning = TuningFor(options.chunk_bytes.value_or(tuned), link.sweep);
  if (options.buffers) place.tuning.slots = static_cast<uint32_t>(*options.buffers);
  if (options.log) {
    options.log(absl::StrCat(
        "link: ", FormatBytes(static_cast<uint64_t>(place.link.bytes_per_second)), "/s; chunks of ",
        FormatBytes(place.tuning.chunk_bytes), ", ", place.tuning.slots, " buffers a thread"));
  }
  return absl::OkStatus();
}

/// About the share of the transferable bytes that will be far.
double FarShare(const JobOptions& options, const std::vector<DataSegment>& segments) {
  if (!options.local_memory_bytes.has_value()) return options.far_ratio;
  const PlacementPlan all_local = PlanAllLocal(segments, *options.local_memory_bytes);
  const double missing_bytes =
      static_cast<double>(all_local.local_bytes) - static_cast<double>(*options.local_memory_bytes);
  return std::min(1.0, missing_bytes / static_cast<double>(all_local.TransferableBytes()));
}

absl::StatusOr<PlacementPlan> ChoosePlan(const JobOptions& options,
                                         const std::vector<DataSegment>& segments) {
  if (!options.local_memory_bytes.has_value()) return PlanAtFarRatio(segments, options.far_ratio);
  FARGRAPH_ASSIGN_OR_RETURN(
      PlacementPlan plan,
      PlanWithinBudget(segments, *options.local_memory_bytes, !options.memory_nodes.empty()));
  if (options.log) {
    const double far_ratio =
        static_cast<double>(plan.far_bytes) / static_cast<double>(plan.TransferableBytes());
    options.log(absl::StrFormat("far ratio %.3g keeps the job within %s", far_ratio,
                                FormatBytes(*options.local_memory_bytes)));
  }
  return plan;
}

/// Of the job, its output included.
std::vector<DataSegment> AllSegments(const JobOptions& options, const GraphFiles& files,
                                     const Kernel& kernel, const KernelOptions& kernel_options,
                                     const LinkTuning& tuning, bool compressed) {
  std::vector<DataSegment> segments =
      JobSegments(files, kernel, kernel_options, tuning, compressed);
  if (!options.output_path.empty()) {
    segments.push_back({.name = "output", .bytes = OutputBytes(files.names())});
  }
  return segments;
}

absl::StatusOr<Placement> ChoosePlacement(const JobOptions& options, const GraphFiles& files,
                                          const Kernel& kernel, const KernelOptions& kernel_options,
                                          FarMemory* far_memory) {
  if (options.compressed.value_or(false) && !files.manifest().compressed) {
    return absl::InvalidArgumentError(
        absl::StrCat("Placing the lists of ", files.path(),
                     ": they are not compressed; convert the graph again with --compress"));
  }
  PlaceOptions place = {.compressed = options.compressed.value_or(false),
                        .tuning = {.chunk_bytes = options.chunk_bytes.value_or(kLocalChunkBytes)},
                        .far_memory = far_memory,
                        .keep = options.keep,
                        .cancelled = options.cancelled};
  std::vector<DataSegment> segments =
      AllSegments(options, files, kernel, kernel_options, place.tuning, place.compressed);
  const uint64_t transferable_bytes = PlanAtFarRatio(segments, 0).TransferableBytes();
  if (NeedsTheLink(options, segments)) {
    FARGRAPH_RETURN_IF_ERROR(FitToLink(options, transferable_bytes, place));
    place.compressed =
        options.compressed.value_or(files.manifest().compressed &&
                                    CodesAreFaster(FarShare(options, segments), files, place.link));
    segments = AllSegments(options, files, kernel, kernel_options, place.tuning, place.compressed);
  }
  if (options.on_load) {
    place.on_bytes = [&options, transferable_bytes, done = uint64_t{0}](uint64_t bytes) mutable {
      done += bytes;
      options.on_load(done, transferable_bytes);
    };
  }
  FARGRAPH_ASSIGN_OR_RETURN(PlacementPlan plan, ChoosePlan(options, segments));
  return Placement{.plan = std::move(plan), .options = std::move(place)};
}

/// Runs the kernel and enters in the report what it took.
absl::StatusOr<KernelResult> RunTrial(const Kernel& kernel, Graph& graph,
                                      const KernelOptions& options, JobReport& report) {
  const uint64_t iterations_before = graph.iterations();
  const StreamStats stats_before = graph.stats();
  const absl::Time begin = absl::Now();
  FARGRAPH_ASSIGN_OR_RETURN(KernelResult result, kernel.Run(graph, options));
  report.seconds = SecondsSince(begin);
  report.trial_seconds.push_back(report.seconds);
  report.iterations = graph.iterations() - iterations_before;
  const StreamStats stats = graph.stats() - stats_before;
  report.bytes_fetched = stats.bytes_fetched;
  report.bytes_useful = stats.bytes_useful;
  report.requests = stats.requests;
  report.stall_seconds = stats.stall_seconds / omp_get_max_threads();
  return result;
}

/// The result and what the report says are those of the last trial.
absl::StatusOr<KernelResult> RunKernel(const Kernel& kernel, Graph& graph,
                                       const KernelOptions& options, uint64_t trials,
                                       JobReport& report) {
  KernelResult result;
  for (uint64_t trial = 0; trial < trials; ++trial) {
    result = {};  // so that the memory of two is never held
    FARGRAPH_ASSIGN_OR_RETURN(result, RunTrial(kernel, graph, options, report));
  }
  FARGRAPH_RETURN_IF_ERROR(kernel.Summarize(graph, result));
  report.answer = result.answer;
  return result;
}

}  // namespace

absl::StatusOr<JobReport> RunJob(const JobOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(const Kernel* kernel, FindKernel(options.algorithm));
  const absl::Time load_begin = absl::Now();
  FARGRAPH_ASSIGN_OR_RETURN(const GraphFiles files,
                            GraphFiles::Open(options.graph_path, options.verify_files));
  FARGRAPH_RETURN_IF_ERROR(CheckLists(files, *kernel));
  KernelOptions kernel_options = {.sources = options.sources,
                                  .iterations = options.iterations,
                                  .tolerance = options.tolerance,
                                  .delta = options.delta,
                                  .precision = options.precision};
  FARGRAPH_ASSIGN_OR_RETURN(const std::unique_ptr<FarMemory> far_memory, ConnectFarMemory(options));
  FARGRAPH_ASSIGN_OR_RETURN(
      const Placement placement,
      ChoosePlacement(options, files, *kernel, kernel_options, far_memory.get()));
  if (options.source.has_value()) {
    FARGRAPH_ASSIGN_OR_RETURN(kernel_options.source, FindVertex(*options.source, files));
  }

  // What the link was measured with is gone, and was shared with the memory nodes in part.
  ForgetPeakMemory();
  FARGRAPH_ASSIGN_OR_RETURN(LoadedGraph loaded,
                            LoadGraph(files, *kernel, placement.plan, placement.options));

  const bool reads_weights = kernel->out_lists() == ListUse::kWeightedEdges ||
                             kernel->in_lists() == ListUse::kWeightedEdges;
  if (options.log && reads_weights && files.manifest().weight_type == WeightType::kNone) {
    options.log(absl::StrCat(options.graph_path, " has no weights: every edge has weight 1"));
  }
  if (options.log && !loaded.streams.empty()) {
    options.log(absl::StrCat("read buffers: ", FormatBytes(loaded.rings.size()), " on ",
                             loaded.rings.description()));
  }

  JobReport report = {.algorithm = options.algorithm,
                      .graph = options.graph_path,
                      .vertices = files.manifest().vertices,
                      .edges = files.manifest().edges,
                      .transport = "local",
                      .attached = loaded.attached,
                      .load_seconds = SecondsSince(load_begin),
                      .link_peak_bytes_per_second = placement.options.link.bytes_per_second,
                      .compressed = placement.options.compressed,
                      .chunk_bytes = placement.options.tuning.chunk_bytes,
                      .buffers = placement.options.tuning.slots};
  if (far_memory != nullptr) {
    report.transport = std::string(transport::KindName(far_memory->transport()));
  }
  if (loaded.edge_bytes > 0) {
    const uint64_t local_bytes = loaded.edge_bytes - loaded.far_bytes + loaded.head_bytes;
    report.far_ratio = loaded.far_bytes == 0 ? 0
                                             : 1 - static_cast<double>(local_bytes) /
                                                       static_cast<double>(loaded.edge_bytes);
  }

  Graph graph({.vertices = static_cast<VertexId>(files.manifest().vertices),
               .out = loaded.out,
               .in = loaded.in,
               .out_heads = loaded.out_heads,
               .in_heads = loaded.in_heads,
               .may_have_self_loops = files.manifest().HasSelfLoops(),
               .weight_type = files.manifest().weight_type,
               .streams = std::move(loaded.streams),
               .names = files.names(),
               .cancelled = options.cancelled,
               .on_iteration = options.on_iteration});
  FARGRAPH_ASSIGN_OR_RETURN(const KernelResult result,
                            RunKernel(*kernel, graph, kernel_options, options.trials, report));

  if (options.verify) {
    FARGRAPH_RETURN_IF_ERROR(kernel->Verify(files, kernel_options, result));
    report.verified = true;
  }
  if (!options.output_path.empty()) {
    FARGRAPH_RETURN_IF_ERROR(WriteOutput(options.output_path, options.output_format, result.columns,
                                         files.names(), options.cancelled));
  }
  report.peak_memory_bytes = PeakMemoryBytes();
  return report;
}

}  // namespace fargraph
