#include "compute_node/tiers/far_links.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"
#include "compute_node/tiers/link_tuner.h"

namespace fargraph {

uint64_t FarLinks::ChunkBytes() const {
  return std::max(memory ? memory->tuning.chunk_bytes : 0, ssds ? ssds->tuning.chunk_bytes : 0);
}

LinkTuning FarLinks::TuningFor(uint64_t chunk_bytes) const {
  if (!ssds) return fargraph::TuningFor(chunk_bytes, *memory);
  LinkTuning tuning = fargraph::TuningFor(chunk_bytes, *ssds);
  if (!memory) return tuning;
  const LinkTuning other = fargraph::TuningFor(chunk_bytes, *memory);
  tuning.slots = std::min(kMostSlots, tuning.slots + 2 * DepthWith(other.slots));
  tuning.queue_pairs = other.queue_pairs;
  return tuning;
}

FarGaps FarLinks::Gaps() const {
  const auto gaps_of = [](const std::optional<LinkSweep>& link) {
    return link ? ReadGaps{.break_even = link->profile.BreakEvenGapBytes(),
                           .narrow = link->profile.NarrowGapBytes()}
                : ReadGaps();
  };
  return {.on_memory_nodes = gaps_of(memory), .on_ssds = gaps_of(ssds)};
}

LinkProfile FarLinks::Profile(double ssd_share) const {
  if (!ssds) return memory->profile;
  if (!memory) return ssds->profile;
  return CombineLinks(memory->profile, ssds->profile, ssd_share);
}

absl::StatusOr<FarLinks> TuneLinks(const FarTiers& tiers, uint32_t threads,
                                   const LinkCache& cache) {
  FarLinks links;
  if (tiers.memory() != nullptr) {
    absl::StatusOr<CachedSweep> found = TuneLink(*tiers.memory(), threads, cache);
    const bool is_full = absl::IsResourceExhausted(found.status());
    if (!is_full || tiers.ssds() == nullptr) {
      FARGRAPH_RETURN_IF_ERROR(found.status());
      links.memory = std::move(found->sweep);
    }
  }
  if (tiers.ssds() != nullptr) {
    FARGRAPH_ASSIGN_OR_RETURN(CachedSweep found, TuneLink(*tiers.ssds(), threads, cache));
    links.ssds = std::move(found.sweep);
  }
  return links;
}

absl::Status ForgetLinks(const FarTiers& tiers, uint32_t threads, const LinkCache& cache) {
  if (tiers.memory() != nullptr) {
    FARGRAPH_RETURN_IF_ERROR(ForgetLink(*tiers.memory(), threads, cache));
  }
  return tiers.ssds() == nullptr ? absl::OkStatus() : ForgetLink(*tiers.ssds(), threads, cache);
}

}  // namespace fargraph
