#include "compute_node/forecast/time_model.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace fargraph {
namespace {

/// Of what the link takes to carry the bytes, the part that computing has to wait for: copies out
/// of shared memory, and of tcp the copies in the kernel at both ends on a busy host.
double CarryShare(const std::string& transport) { return transport == "tcp" ? 1.7 : 1.0; }

/// What a thread takes to plan a request and to find out that it is done, and its lists in the
/// buffer.
constexpr double kRequestSeconds = 1.5e-6;

bool IsFar(const ListPlacement& placement) { return placement.far_ratio > 0; }
bool HasHeads(const ListPlacement& placement) { return placement.copy_bytes > 0; }

/// Of the time of any run, whatever the link is thought to have added.
constexpr double kLeastComputing = 0.1;

double RequestSeconds(uint64_t requests, uint32_t threads) {
  return static_cast<double>(requests) * kRequestSeconds / threads;
}

/// The time of a run without what its link added.
double ComputeSeconds(const PastRuns& runs, uint32_t threads) {
  const double seconds = runs.MedianSeconds();
  double added = RequestSeconds(runs.requests, threads);
  if (runs.placement.transport != "verbs") {
    added += CarryShare(runs.placement.transport) * runs.carry_seconds;
  }
  return std::max(seconds - added, kLeastComputing * seconds);
}

bool IsOtherLink(const ListPlacement& a, const ListPlacement& b) {
  return a.transport != b.transport || a.hosts != b.hosts;
}

/// Ascending by how little the placement of past runs tells about another one.
auto Difference(const ListPlacement& past, const ListPlacement& placement) {
  const bool other_link = IsOtherLink(past, placement);
  return std::tuple(past.compressed != placement.compressed, HasHeads(past) != HasHeads(placement),
                    IsFar(past) != IsFar(placement), other_link,
                    other_link && past.transport == "tcp",  // what it takes varies most
                    past.copy_bytes != placement.copy_bytes,
                    std::abs(past.far_ratio - placement.far_ratio));
}

const PastRuns* MostSimilar(const ListPlacement& placement, const std::vector<PastRuns>& past) {
  const auto most =
      std::min_element(past.begin(), past.end(), [&](const PastRuns& a, const PastRuns& b) {
        return Difference(a.placement, placement) < Difference(b.placement, placement);
      });
  return most == past.end() ? nullptr : &*most;
}

/// Over a link on which requests cost more the planner merges those with gaps up to the break-even
/// gap: they become about as large as it, and half of what they bring is gaps.
void MergeRequests(const LinkProfile& link, RunForecast& forecast) {
  const double gap_bytes = link.bytes_per_second / link.requests_per_second;
  const double bytes = static_cast<double>(forecast.bytes_fetched);
  if (bytes >= gap_bytes * static_cast<double>(forecast.requests)) return;
  forecast.bytes_fetched *= 2;
  forecast.requests = std::min(forecast.requests, static_cast<uint64_t>(2 * bytes / gap_bytes));
}

/// What the run fetches.
void ForecastTraffic(const PlannedRun& run, const PastRuns* similar, RunForecast& forecast) {
  if (!IsFar(run.placement)) return;
  if (similar != nullptr && IsFar(similar->placement) &&
      HasHeads(similar->placement) == HasHeads(run.placement)) {
    const double ratio = run.placement.far_ratio / similar->placement.far_ratio;
    forecast.bytes_fetched =
        static_cast<uint64_t>(ratio * static_cast<double>(similar->bytes_fetched));
    forecast.requests = static_cast<uint64_t>(ratio * static_cast<double>(similar->requests));
    if (IsOtherLink(similar->placement, run.placement)) MergeRequests(run.link, forecast);
    return;
  }
  forecast.bytes_fetched =
      static_cast<uint64_t>(run.list_reads * static_cast<double>(run.far_bytes));
  forecast.requests = forecast.bytes_fetched / run.chunk_bytes;
}

}  // namespace

double CarrySeconds(const LinkProfile& link, uint64_t bytes_fetched, uint64_t requests) {
  return bytes_fetched == 0 ? 0 : link.CarrySeconds(bytes_fetched, requests);
}

RunForecast Forecast(const PlannedRun& run, const std::vector<PastRuns>& past) {
  const PastRuns* similar = MostSimilar(run.placement, past);
  RunForecast forecast;
  if (similar != nullptr) {
    forecast.iterations = similar->iterations;
    // How much heads save depends on the graph.
    const bool is_alike = HasHeads(similar->placement) == HasHeads(run.placement);
    forecast.basis = is_alike ? Basis::kOtherRuns : Basis::kEstimate;
    if (similar->placement.IsLike(run.placement)) {
      return {.seconds = similar->MedianSeconds(),
              .bytes_fetched = similar->bytes_fetched,
              .requests = similar->requests,
              .iterations = similar->iterations,
              .basis = Basis::kSameRun};
    }
  }
  ForecastTraffic(run, similar, forecast);
  const double computing =
      (similar == nullptr ? run.local_seconds : ComputeSeconds(*similar, run.threads)) +
      RequestSeconds(forecast.requests, run.threads);
  const double carrying = CarrySeconds(run.link, forecast.bytes_fetched, forecast.requests);
  forecast.seconds = run.placement.transport == "verbs"
                         ? std::max(computing, carrying)
                         : computing + CarryShare(run.placement.transport) * carrying;
  return forecast;
}

}  // namespace fargraph
