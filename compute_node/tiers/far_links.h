#ifndef FARGRAPH_COMPUTE_NODE_TIERS_FAR_LINKS_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_FAR_LINKS_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compute_node/tiers/far_space.h"
#include "compute_node/tiers/far_tiers.h"
#include "compute_node/tiers/link_cache.h"
#include "compute_node/tiers/link_sweep.h"

namespace fargraph {

/// What was measured of the links to a job's far tiers, of which there is at least one, and how a
/// job reads over both at once.
struct FarLinks {
  std::optional<LinkSweep> memory;  ///< nullopt also of nodes that are too full to measure
  std::optional<LinkSweep> ssds;

  /// The larger of what is best for each.
  uint64_t ChunkBytes() const;
  /// For chunks of that size. Slots are used in turn, whatever tier their chunk is on, so there are
  /// as many as keep each tier busy.
  LinkTuning TuningFor(uint64_t chunk_bytes) const;
  FarGaps Gaps() const;
  /// With `ssd_share` (0 to 1) of what is read on SSDs.
  LinkProfile Profile(double ssd_share) const;
};

/// Measures the links, or remembers them. Errors as TuneLink's, but that full memory nodes are none
/// where there are SSDs.
absl::StatusOr<FarLinks> TuneLinks(const FarTiers& tiers, uint32_t threads, const LinkCache& cache);

/// So that the next TuneLinks measures. Errors as LinkCache::Forget's.
absl::Status ForgetLinks(const FarTiers& tiers, uint32_t threads, const LinkCache& cache);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_FAR_LINKS_H_
