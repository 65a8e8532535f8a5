#include "compute_node/job_plan.h"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/placement/list_form.h"
#include "compute_node/placement/load_graph.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/link_tuner.h"
#include "compute_node/tiers/ssd_array.h"
#include "graph/vertex_names.h"

namespace fargraph {
namespace {

/// The piece in which threads share a scan when all is local.
constexpr uint64_t kLocalChunkBytes = 64 * kKiB;

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

absl::StatusOr<KernelOptions> ReadKernelOptions(const JobOptions& options,
                                                const GraphFiles& files) {
  KernelOptions kernel_options = {.sources = options.sources,
                                  .iterations = options.iterations,
                                  .tolerance = options.tolerance,
                                  .delta = options.delta,
                                  .precision = options.precision};
  if (options.source.has_value()) {
    FARGRAPH_ASSIGN_OR_RETURN(kernel_options.source, FindVertex(*options.source, files));
  }
  return kernel_options;
}

absl::StatusOr<std::unique_ptr<FarTier>> OpenFarTier(const JobOptions& options) {
  if (!options.ssd_directories.empty()) {
    FARGRAPH_ASSIGN_OR_RETURN(auto ssds, SsdArray::Open(options.ssd_directories));
    if (options.log) {
      options.log(absl::StrCat("transport: ssd, direct IO in blocks of ",
                               FormatBytes(ssds->block_bytes())));
    }
    return ssds;
  }
  if (options.memory_nodes.empty()) return nullptr;
  FARGRAPH_ASSIGN_OR_RETURN(auto far_memory,
                            FarMemory::Connect({.memory_nodes = options.memory_nodes,
                                                .transport = options.transport,
                                                .control = {.token = options.token}}));
  if (options.log) options.log(absl::StrCat("transport: ", far_memory->transport_choice()));
  return far_memory;
}

void KeepStateLocal(std::vector<DataSegment>& segments) {
  for (DataSegment& segment : segments) {
    if (segment.residence == Residence::kFarIfShort) segment.residence = Residence::kLocal;
  }
}

/// The largest chunk that leaves threads which are done early something to take.
uint64_t LargestFairChunk(uint64_t transferable_bytes) {
  constexpr uint64_t kChunksPerThread = 16;
  const uint64_t fair_bytes = transferable_bytes / (kChunksPerThread * omp_get_max_threads());
  return std::bit_floor(std::max(fair_bytes, kLeastChunkBytes));
}

/// About the share of the transferable bytes that a budget makes far.
double FarShare(const PlacementPlan& all_local, uint64_t budget) {
  const double missing_bytes =
      static_cast<double>(all_local.local_bytes) - static_cast<double>(budget);
  return std::min(1.0, missing_bytes / static_cast<double>(all_local.TransferableBytes()));
}

}  // namespace

absl::StatusOr<JobInputs> OpenJob(const JobOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(const Kernel* kernel, FindKernel(options.algorithm));
  return OpenJob(options, *kernel);
}

absl::StatusOr<JobInputs> OpenJob(const JobOptions& options, const Kernel& kernel) {
  FARGRAPH_ASSIGN_OR_RETURN(GraphFiles files,
                            GraphFiles::Open(options.graph_path, options.verify_files));
  FARGRAPH_RETURN_IF_ERROR(CheckLists(files, kernel));
  FARGRAPH_ASSIGN_OR_RETURN(const KernelOptions kernel_options, ReadKernelOptions(options, files));
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<FarTier> far_tier, OpenFarTier(options));
  return JobInputs{&kernel, std::move(files), kernel_options, std::move(far_tier)};
}

absl::StatusOr<JobPlan> JobPlanner::Plan() {
  return options_.local_memory_bytes ? PlanWithin(*options_.local_memory_bytes)
                                     : PlanAt(options_.far_ratio);
}

absl::StatusOr<JobPlan> JobPlanner::PlanAt(double far_ratio) {
  FARGRAPH_ASSIGN_OR_RETURN(PlaceOptions place, PlaceAt(far_ratio));
  return JobPlan{PlanAtFarRatio(Segments(place), far_ratio), std::move(place)};
}

absl::StatusOr<JobPlan> JobPlanner::PlanWithin(uint64_t budget) {
  const bool have_far_memory = inputs_.far_tier != nullptr;
  FARGRAPH_ASSIGN_OR_RETURN(PlaceOptions place, PlaceAt(0));
  const PlacementPlan all_local = PlanAllLocal(Segments(place), budget);
  if (have_far_memory && all_local.local_bytes > budget) {
    FARGRAPH_ASSIGN_OR_RETURN(place, PlaceAt(FarShare(all_local, budget)));
  }
  FARGRAPH_ASSIGN_OR_RETURN(PlacementPlan plan,
                            PlanWithinBudget(Segments(place), budget, have_far_memory));
  if (options_.log) {
    const double far_ratio = static_cast<double>(plan.far_bytes - plan.FarStateBytes()) /
                             static_cast<double>(plan.TransferableBytes());
    options_.log(
        absl::StrFormat("far ratio %.3g keeps the job within %s", far_ratio, FormatBytes(budget)));
  }
  return JobPlan{std::move(plan), std::move(place)};
}

absl::StatusOr<uint64_t> JobPlanner::SmallestBudget() {
  FARGRAPH_ASSIGN_OR_RETURN(const PlaceOptions local, PlaceAt(0));
  const uint64_t without_far_memory =
      fargraph::SmallestBudget(Segments(local), /*have_far_memory=*/false);
  if (inputs_.far_tier == nullptr) return without_far_memory;
  FARGRAPH_ASSIGN_OR_RETURN(const PlaceOptions far, PlaceAt(1));
  return std::min(without_far_memory,
                  fargraph::SmallestBudget(Segments(far), /*have_far_memory=*/true));
}

absl::StatusOr<PlaceOptions> JobPlanner::PlaceAt(double far_ratio) {
  const GraphFiles& files = inputs_.files;
  if (options_.compressed.value_or(false) && !files.manifest().compressed) {
    return absl::InvalidArgumentError(
        absl::StrCat("Placing the lists of ", files.path(),
                     ": they are not compressed; convert the graph again with --compress"));
  }
  PlaceOptions place = {.compressed = options_.compressed.value_or(false),
                        .tuning = {.chunk_bytes = options_.chunk_bytes.value_or(kLocalChunkBytes)},
                        .far_tier = inputs_.far_tier.get(),
                        .keep = options_.keep,
                        .cancelled = options_.cancelled};
  if (far_ratio == 0) return place;

  FARGRAPH_ASSIGN_OR_RETURN(const CachedSweep link, Link());
  const uint64_t transferable_bytes = PlanAtFarRatio(Segments(place), 0).TransferableBytes();
  const uint64_t tuned =
      std::min(link.sweep.tuning.chunk_bytes, LargestFairChunk(transferable_bytes));
  place.link = link.sweep.profile;
  place.compressed = options_.compressed.value_or(files.manifest().compressed &&
                                                  CodesAreFaster(far_ratio, files, place.link));
  place.tuning = TuningFor(options_.chunk_bytes.value_or(tuned), link.sweep);
  if (!options_.chunk_bytes) {
    FARGRAPH_ASSIGN_OR_RETURN(const uint64_t chunk_bytes, ChunkBytes(place, far_ratio, tuned));
    place.tuning = TuningFor(chunk_bytes, link.sweep);
  }
  if (options_.buffers) place.tuning.slots = static_cast<uint32_t>(*options_.buffers);
  return place;
}

/// What an earlier job has uploaded and kept is used as it was cut: of several, that whose chunks
/// are closest to the tuned size. Within a budget they must not be larger, since buffers are as
/// large as a chunk.
absl::StatusOr<uint64_t> JobPlanner::ChunkBytes(const PlaceOptions& place, double far_ratio,
                                                uint64_t tuned_bytes) {
  const PlacementPlan plan = PlanAtFarRatio(Segments(place), far_ratio);
  FARGRAPH_ASSIGN_OR_RETURN(const std::set<uint64_t> uploaded,
                            UploadedChunkSizes(inputs_.files, *inputs_.kernel, plan,
                                               place.compressed, *inputs_.far_tier));
  const auto times_off = [tuned_bytes](uint64_t bytes) {
    return static_cast<double>(std::max(bytes, tuned_bytes)) /
           static_cast<double>(std::min(bytes, tuned_bytes));
  };
  std::optional<uint64_t> closest;
  for (const uint64_t bytes : uploaded) {
    const uint64_t largest = options_.local_memory_bytes ? tuned_bytes : kLargestChunkBytes;
    if (bytes < kLeastChunkBytes || bytes > largest || bytes % sizeof(VertexId) != 0) continue;
    if (!closest || times_off(bytes) < times_off(*closest)) closest = bytes;
  }
  return closest.value_or(tuned_bytes);
}

absl::StatusOr<CachedSweep> JobPlanner::Link() {
  if (!link_) {
    FARGRAPH_ASSIGN_OR_RETURN(link_, TuneLink(*inputs_.far_tier, omp_get_max_threads(),
                                              LinkCache(options_.link_cache_path)));
  }
  return *link_;
}

std::vector<DataSegment> JobPlanner::Segments(const PlaceOptions& place) const {
  const FarTier* const far_tier = inputs_.far_tier.get();
  std::vector<DataSegment> segments =
      JobSegments(inputs_.files, *inputs_.kernel, inputs_.kernel_options, place.tuning,
                  place.compressed, far_tier == nullptr ? 1 : far_tier->block_bytes());
  if (far_tier != nullptr && !far_tier->takes_state()) KeepStateLocal(segments);
  if (!options_.output_path.empty()) {
    segments.push_back({.name = "output", .bytes = OutputBytes(inputs_.files.names())});
  }
  return segments;
}

}  // namespace fargraph
