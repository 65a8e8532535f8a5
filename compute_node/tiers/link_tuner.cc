#include "compute_node/tiers/link_tuner.h"

#include <algorithm>
#include <memory>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/control/memory_node_client.h"
#include "common/status_macros.h"
#include "compute_node/tiers/link_probe.h"

namespace fargraph {
namespace {

constexpr absl::Duration kTime = absl::Milliseconds(450);
/// More threads than this find the link full, and each would have little to read.
constexpr uint32_t kMostThreads = 64;

LinkId Identify(const FarTier& tier, uint32_t threads) {
  return {.host = LocalHostId(),
          .nodes = tier.nodes(),
          .transport = tier.transport_name(),
          .threads = std::min(threads, kMostThreads)};
}

/// What is left to jobs that read with that tuning, and to their computing. Devices pass bursts
/// that are longer than a measurement.
absl::Status MeasureDevice(LinkProbe& probe, LinkSweep& sweep) {
  const ReadLoad load = {.bytes = sweep.tuning.chunk_bytes,
                         .depth = DepthWith(sweep.tuning.slots, sweep.is_device),
                         .queue_pairs = sweep.tuning.queue_pairs};
  FARGRAPH_ASSIGN_OR_RETURN(const SustainedPace pace, probe.SustainedReads(load));
  LinkProfile& profile = sweep.profile;
  profile.bytes_per_second =
      std::min(profile.bytes_per_second, pace.reads_per_second * static_cast<double>(load.bytes));
  profile.processor_share = pace.processor_share;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CachedSweep> TuneLink(FarTier& tier, uint32_t threads, const LinkCache& cache) {
  if (auto cached = cache.Find(Identify(tier, threads))) return *std::move(cached);
  return TuneLinkAnew(tier, threads, cache);
}

absl::StatusOr<CachedSweep> TuneLinkAnew(FarTier& tier, uint32_t threads, const LinkCache& cache) {
  const LinkId link = Identify(tier, threads);
  FARGRAPH_ASSIGN_OR_RETURN(const std::unique_ptr<LinkProbe> probe,
                            LinkProbe::Open(tier, link.threads, kTime));
  const auto measure = [&](const ReadLoad& load) { return probe->ReadsPerSecond(load); };
  FARGRAPH_ASSIGN_OR_RETURN(LinkSweep sweep, SweepLink(probe->limits(), measure));
  if (sweep.is_device) {
    FARGRAPH_RETURN_IF_ERROR(MeasureDevice(*probe, sweep));
  } else {
    sweep.profile.processor_share = tier.processors_carry() ? 1 : 0;
  }
  CachedSweep measured = {.sweep = std::move(sweep), .measured = absl::Now()};
  cache.Store(link, measured).IgnoreError();
  return measured;
}

absl::Status ForgetLink(const FarTier& tier, uint32_t threads, const LinkCache& cache) {
  return cache.Forget(Identify(tier, threads));
}

}  // namespace fargraph
