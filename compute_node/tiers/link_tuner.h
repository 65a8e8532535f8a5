#ifndef FARGRAPH_COMPUTE_NODE_TIERS_LINK_TUNER_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_LINK_TUNER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compute_node/tiers/far_tier.h"
#include "compute_node/tiers/link_cache.h"

namespace fargraph {

/// What the cache holds of this link, or else a new measurement, which the cache then holds. Takes
/// under half a second, of SSDs under one, and at most 64 MiB of memory meanwhile, half of it on
/// the memory nodes. `threads`: of the job. Errors as LinkProbe::Open's; Unavailable when a node
/// was lost. That the cache cannot be written is no error.
absl::StatusOr<CachedSweep> TuneLink(FarTier& tier, uint32_t threads, const LinkCache& cache);

/// Measures, whatever the cache holds.
absl::StatusOr<CachedSweep> TuneLinkAnew(FarTier& tier, uint32_t threads, const LinkCache& cache);

/// So that the next TuneLink measures. Errors as LinkCache::Forget's.
absl::Status ForgetLink(const FarTier& tier, uint32_t threads, const LinkCache& cache);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_LINK_TUNER_H_
