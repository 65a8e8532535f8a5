#include "compute_node/job/job_plan.h"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/loading/job_segments.h"
#include "compute_node/loading/kept_lists.h"
#include "compute_node/loading/list_loads.h"
#include "compute_node/placement/list_form.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/ssd_array.h"
#include "graph/format/manifest.h"

namespace fargraph {
namespace {

/// The piece in which threads share a scan when all is local.
constexpr uint64_t kLocalChunkBytes = 64 * kKiB;

/// Of the state that may go far, with the slack of each array.
uint64_t StateBytes(const std::vector<DataSegment>& segments, uint64_t slack_bytes) {
  uint64_t bytes = 0;
  for (const DataSegment& segment : segments) {
    if (segment.residence == Residence::kFarIfShort) bytes += segment.bytes + slack_bytes;
  }
  return bytes;
}

/// About the share of the far bytes for which memory nodes have no room.
double SsdShare(double far_bytes, uint64_t free_bytes) {
  return std::max(0.0, 1 - static_cast<double>(free_bytes) / far_bytes);
}

void KeepStateLocal(std::vector<DataSegment>& segments) {
  for (DataSegment& segment : segments) {
    if (segment.residence == Residence::kFarIfShort) segment.residence = Residence::kLocal;
  }
}

/// The largest chunk that leaves threads which are done early something to take, and with which the
/// first buffers are soon full. Those of small graphs are not worth their requests if they are very
/// small, so they may be fewer.
uint64_t LargestFairChunk(uint64_t transferable_bytes) {
  constexpr uint64_t kChunks = 32, kFewChunks = 8;
  constexpr uint64_t kWorthwhileBytes = 128 * kKiB;
  const uint64_t bytes_per_thread = transferable_bytes / omp_get_max_threads();
  const uint64_t fair_bytes = std::max(bytes_per_thread / kChunks,
                                       std::min(bytes_per_thread / kFewChunks, kWorthwhileBytes));
  return std::bit_floor(std::max(fair_bytes, kLeastChunkBytes));
}

/// About the share of the transferable bytes that a budget makes far.
double FarShare(const PlacementPlan& all_local, uint64_t budget) {
  const double missing_bytes =
      static_cast<double>(all_local.local_bytes) - static_cast<double>(budget);
  return std::min(1.0, missing_bytes / static_cast<double>(all_local.TransferableBytes()));
}

}  // namespace

absl::StatusOr<JobPlan> JobPlanner::Plan() {
  return options_.local_memory_bytes ? PlanWithin(*options_.local_memory_bytes)
                                     : PlanAt(options_.far_ratio);
}

absl::StatusOr<JobPlan> JobPlanner::PlanAt(double far_ratio) {
  FARGRAPH_ASSIGN_OR_RETURN(PlaceOptions place, PlaceAt(far_ratio, options_.compressed));
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<DataSegment> segments, Segments(place));
  return Divide(PlanAtFarRatio(segments, far_ratio), std::move(place));
}

absl::StatusOr<JobPlan> JobPlanner::PlanWithin(uint64_t budget) {
  const bool have_far_tiers = inputs_.far_tiers != nullptr;
  FARGRAPH_ASSIGN_OR_RETURN(PlaceOptions place, PlaceAt(0, options_.compressed));
  FARGRAPH_ASSIGN_OR_RETURN(std::vector<DataSegment> segments, Segments(place));
  const PlacementPlan all_local = PlanAllLocal(segments, budget);
  if (have_far_tiers && all_local.local_bytes > budget) {
    FARGRAPH_ASSIGN_OR_RETURN(place, PlaceWithin(budget, FarShare(all_local, budget)));
    FARGRAPH_ASSIGN_OR_RETURN(segments, Segments(place));
  }
  FARGRAPH_ASSIGN_OR_RETURN(PlacementPlan plan, PlanWithinBudget(segments, budget, have_far_tiers));
  if (options_.log) {
    const uint64_t bytes = std::max<uint64_t>(plan.TransferableBytes(), 1);
    const double far_ratio =
        static_cast<double>(plan.far_bytes - plan.FarStateBytes()) / static_cast<double>(bytes);
    options_.log(
        absl::StrFormat("far ratio %.3g keeps the job within %s", far_ratio, FormatBytes(budget)));
  }
  return Divide(std::move(plan), std::move(place));
}

/// Codes have an index of their own, for which a small budget has no room.
absl::StatusOr<PlaceOptions> JobPlanner::PlaceWithin(uint64_t budget, double far_ratio) {
  FARGRAPH_ASSIGN_OR_RETURN(PlaceOptions place, PlaceAt(far_ratio, options_.compressed));
  FARGRAPH_RETURN_IF_ERROR(FitBuffers(budget, place));
  FARGRAPH_ASSIGN_OR_RETURN(const bool fits, Fits(budget, place));
  if (fits || !place.compressed || options_.compressed) return place;
  FARGRAPH_ASSIGN_OR_RETURN(place, PlaceAt(far_ratio, /*compressed=*/false));
  FARGRAPH_RETURN_IF_ERROR(FitBuffers(budget, place));
  return place;
}

absl::StatusOr<bool> JobPlanner::Fits(uint64_t budget, const PlaceOptions& place) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<DataSegment> segments, Segments(place));
  return fargraph::SmallestBudget(segments, /*have_far_memory=*/true) <= budget;
}

absl::Status JobPlanner::FitBuffers(uint64_t budget, PlaceOptions& place) {
  constexpr uint64_t kBuffersOfBudget = 8;     // buffers take one of so many bytes
  constexpr uint32_t kLeastSlots = 2;          // one is read into while the other is computed on
  constexpr uint64_t kLeastBytes = 64 * kKiB;  // of a buffer
  LinkTuning& tuning = place.tuning;
  for (;;) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool fits, Fits(budget, place));
    const uint64_t buffer_bytes = omp_get_max_threads() * tuning.slots * tuning.chunk_bytes;
    const bool takes_little = buffer_bytes <= budget / kBuffersOfBudget;
    if (!(fits && takes_little) && tuning.slots > kLeastSlots && !options_.buffers) {
      --tuning.slots;
    } else if (!fits && tuning.chunk_bytes > kLeastBytes && !options_.chunk_bytes) {
      tuning.chunk_bytes = std::bit_floor(tuning.chunk_bytes - 1);
    } else {
      return absl::OkStatus();
    }
  }
}

absl::StatusOr<JobPlan> JobPlanner::Divide(PlacementPlan placement, PlaceOptions place) {
  const uint64_t far_list_bytes = placement.far_bytes - placement.FarStateBytes();
  if (far_list_bytes > 0) {
    FARGRAPH_ASSIGN_OR_RETURN(const RoomOnMemoryNodes room, Room(place));
    DivideFarBytes(room, placement);
    FARGRAPH_ASSIGN_OR_RETURN(const FarLinks links, Links());
    place.link = links.Profile(static_cast<double>(placement.SsdBytes()) /
                               static_cast<double>(far_list_bytes));
  }
  return JobPlan{std::move(placement), std::move(place)};
}

absl::StatusOr<RoomOnMemoryNodes> JobPlanner::Room(const PlaceOptions& place) {
  RoomOnMemoryNodes room;
  FARGRAPH_ASSIGN_OR_RETURN(const FarLinks links, Links());
  if (!links.memory) return room;
  FARGRAPH_ASSIGN_OR_RETURN(room.free_bytes, FreeOnMemoryNodes());
  if (!links.ssds) return room;
  FarMemory& memory = *inputs_.far_tiers->memory();
  room.slack_bytes = place.tuning.chunk_bytes + memory.SlackBytes();
  FARGRAPH_ASSIGN_OR_RETURN(room.kept, KeptRatios(inputs_.files, *inputs_.kernel, place.compressed,
                                                  place.tuning.chunk_bytes, memory));
  return room;
}

absl::StatusOr<uint64_t> JobPlanner::FreeOnMemoryNodes() {
  const FarTiers& tiers = *inputs_.far_tiers;
  if (tiers.memory() == nullptr) return 0;
  return tiers.ssds() == nullptr ? ~uint64_t{0} : MeasuredFreeBytes();
}

absl::StatusOr<uint64_t> JobPlanner::MeasuredFreeBytes() {
  if (!free_on_memory_nodes_) {
    FARGRAPH_ASSIGN_OR_RETURN(free_on_memory_nodes_, inputs_.far_tiers->memory()->FreeBytes());
  }
  return *free_on_memory_nodes_;
}

absl::StatusOr<bool> JobPlanner::FarTiersHoldAllLists(const PlaceOptions& place) {
  const SsdArray* const ssds = place.far_tiers->ssds();
  if (ssds == nullptr) return MemoryNodesHoldAllLists(place);
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<DataSegment> segments, Segments(place));
  FARGRAPH_ASSIGN_OR_RETURN(const RoomOnMemoryNodes room, Room(place));
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t free_bytes, ssds->FreeBytes());
  PlacementPlan all_far = PlanAtFarRatio(segments, /*far_ratio=*/1);
  DivideFarBytes(room, all_far);
  FARGRAPH_ASSIGN_OR_RETURN(const std::set<std::string> there,
                            ArraysOnSsds(inputs_.files, *inputs_.kernel, place.compressed, *ssds));
  uint64_t new_bytes = 0;
  for (const PlannedSegment& planned : all_far.segments) {
    if (there.contains(planned.segment.name) || planned.ssd_bytes() == 0) continue;
    new_bytes += planned.ssd_bytes() + ssds->SlackBytes();
  }
  return new_bytes <= free_bytes;
}

absl::StatusOr<bool> JobPlanner::MemoryNodesHoldAllLists(const PlaceOptions& place) {
  FarMemory& memory = *place.far_tiers->memory();
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t free_bytes, MeasuredFreeBytes());
  FARGRAPH_ASSIGN_OR_RETURN(const auto kept,
                            KeptRatios(inputs_.files, *inputs_.kernel, place.compressed,
                                       place.tuning.chunk_bytes, memory));
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<DataSegment> segments, Segments(place));
  uint64_t new_bytes = 0;
  for (const DataSegment& segment : segments) {
    if (segment.residence != Residence::kLocalOrFar || kept.at(segment.name) == 1) continue;
    new_bytes += segment.bytes + memory.SlackBytes();
  }
  return new_bytes <= free_bytes;
}

absl::StatusOr<uint64_t> JobPlanner::SmallestBudget() {
  FARGRAPH_ASSIGN_OR_RETURN(const PlaceOptions local, PlaceAt(0, options_.compressed));
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<DataSegment> all_local, Segments(local));
  const uint64_t without_far_memory =
      fargraph::SmallestBudget(all_local, /*have_far_memory=*/false);
  if (inputs_.far_tiers == nullptr) return without_far_memory;
  FARGRAPH_ASSIGN_OR_RETURN(const PlaceOptions far, PlaceWithin(/*budget=*/0, /*far_ratio=*/1));
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<DataSegment> all_far, Segments(far));
  return std::min(without_far_memory, fargraph::SmallestBudget(all_far, /*have_far_memory=*/true));
}

absl::StatusOr<PlaceOptions> JobPlanner::PlaceAt(double far_ratio, std::optional<bool> compressed) {
  const GraphFiles& files = inputs_.files;
  if (compressed.value_or(false) && !files.manifest().compressed) {
    return absl::InvalidArgumentError(
        absl::StrCat("Placing the lists of ", files.path(),
                     ": they are not compressed; convert the graph again with --compress"));
  }
  const bool can_read_codes = CanReadCodes(files, *inputs_.kernel);
  PlaceOptions place = {.compressed = can_read_codes && compressed.value_or(false),
                        .caches = options_.read_trace_path.empty(),  // which has each list alone
                        .tuning = {.chunk_bytes = options_.chunk_bytes.value_or(kLocalChunkBytes)},
                        .far_tiers = inputs_.far_tiers.get(),
                        .keep = options_.keep,
                        .cancelled = options_.cancelled};
  if (far_ratio == 0) return place;

  FARGRAPH_ASSIGN_OR_RETURN(const FarLinks links, Links());
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<DataSegment> segments, Segments(place));
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t free_bytes, FreeOnMemoryNodes());
  const uint64_t transferable_bytes = PlanAtFarRatio(segments, 0).TransferableBytes();
  const uint64_t tuned = std::min(links.ChunkBytes(), LargestFairChunk(transferable_bytes));
  place.link =
      links.Profile(SsdShare(far_ratio * static_cast<double>(transferable_bytes), free_bytes));
  place.gaps = links.Gaps();
  if (can_read_codes && !compressed) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool edges_are_there, EdgesAreInStripes());
    place.compressed = !edges_are_there && CodesAreFaster(far_ratio, files, place.link);
  }
  FARGRAPH_ASSIGN_OR_RETURN(place.tuning, Tuning(links, place, far_ratio, tuned));
  FARGRAPH_ASSIGN_OR_RETURN(const bool have_room, FarTiersHoldAllLists(place));
  place.whole_uploads = place.keep && have_room && inputs_.far_tiers->ssds() == nullptr;
  if (!have_room && std::exchange(place.caches, false)) {
    FARGRAPH_ASSIGN_OR_RETURN(place.tuning, Tuning(links, place, far_ratio, tuned));
  }
  if (options_.buffers) place.tuning.slots = static_cast<uint32_t>(*options_.buffers);
  return place;
}

/// Of a compressed graph: codes would have to be copied there.
absl::StatusOr<bool> JobPlanner::EdgesAreInStripes() {
  const SsdArray* const ssds = inputs_.far_tiers->ssds();
  if (ssds == nullptr) return false;
  FARGRAPH_ASSIGN_OR_RETURN(
      const std::set<std::string> there,
      ArraysOnSsds(inputs_.files, *inputs_.kernel, /*compressed=*/false, *ssds));
  return there.contains(EdgesArray(Direction::kOut)) || there.contains(EdgesArray(Direction::kIn));
}

absl::StatusOr<LinkTuning> JobPlanner::Tuning(const FarLinks& links, PlaceOptions place,
                                              double far_ratio, uint64_t tuned_bytes) {
  if (options_.chunk_bytes) return links.TuningFor(*options_.chunk_bytes);
  place.tuning = links.TuningFor(tuned_bytes);
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t chunk_bytes, ChunkBytes(place, far_ratio, tuned_bytes));
  return links.TuningFor(chunk_bytes);
}

/// What an earlier job has uploaded and kept is used as it was cut: of several, that whose chunks
/// are closest to the tuned size. Within a budget they must not be larger, since buffers are as
/// large as a chunk.
absl::StatusOr<uint64_t> JobPlanner::ChunkBytes(const PlaceOptions& place, double far_ratio,
                                                uint64_t tuned_bytes) {
  const FarTiers& tiers = *inputs_.far_tiers;
  if (tiers.memory() == nullptr) return tuned_bytes;
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<DataSegment> segments, Segments(place));
  FARGRAPH_ASSIGN_OR_RETURN(
      const std::set<uint64_t> uploaded,
      UploadedChunkSizes(inputs_.files, *inputs_.kernel, PlanAtFarRatio(segments, far_ratio),
                         place.compressed, /*any_part=*/tiers.has_both(), *tiers.memory()));
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

absl::StatusOr<FarLinks> JobPlanner::Links() {
  if (!links_) {
    FARGRAPH_ASSIGN_OR_RETURN(links_, TuneLinks(*inputs_.far_tiers, omp_get_max_threads(),
                                                LinkCache(options_.link_cache_path)));
  }
  return *links_;
}

absl::StatusOr<std::vector<DataSegment>> JobPlanner::Segments(const PlaceOptions& place) {
  const FarTiers* const far_tiers = inputs_.far_tiers.get();
  std::vector<DataSegment> segments =
      JobSegments(inputs_.files, *inputs_.kernel, inputs_.kernel_options, place);
  if (far_tiers != nullptr) {
    FARGRAPH_ASSIGN_OR_RETURN(const uint64_t free_bytes, FreeOnMemoryNodes());
    const FarMemory* const memory = far_tiers->memory();
    const uint64_t slack_bytes = memory == nullptr ? 0 : memory->SlackBytes();
    if (StateBytes(segments, slack_bytes) > free_bytes) KeepStateLocal(segments);
  }
  if (!options_.output_path.empty()) {
    segments.push_back(
        {.name = "output",
         .bytes = OutputBytes(inputs_.files.names(), inputs_.kernel->names_vertices())});
  }
  return segments;
}

}  // namespace fargraph
