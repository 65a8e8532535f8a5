#ifndef FARGRAPH_COMPUTE_NODE_FORECAST_TIME_MODEL_H_
#define FARGRAPH_COMPUTE_NODE_FORECAST_TIME_MODEL_H_

#include <cstdint>
#include <vector>

#include "compute_node/forecast/run_history.h"
#include "compute_node/tiers/link_profile.h"

namespace fargraph {

/// What a forecast of a run's time rests on, the best first.
enum class Basis : uint8_t {
  kSameRun,    ///< runs of this job with this placement
  kOtherRuns,  ///< runs of this job with other placements, but like it with or without heads
  kEstimate,   ///< runs without or with heads; or the graph's size, and how fast the machine is
};

/// A run whose time is asked for.
struct PlannedRun {
  ListPlacement placement;
  uint32_t threads = 1;
  LinkProfile link;  ///< unless all is local
  uint64_t far_bytes = 0;
  uint64_t chunk_bytes = 0;
  double list_reads = 0;     ///< how often it reads each list, if nothing better is known
  double local_seconds = 0;  ///< all local, if nothing better is known
};

struct RunForecast {
  double seconds = 0;  ///< of the kernel
  uint64_t bytes_fetched = 0;
  uint64_t requests = 0;
  uint64_t iterations = 0;  ///< 0: not known
  Basis basis = Basis::kEstimate;
};

/// How long the link is busy with that much of a run, latencies hidden.
double CarrySeconds(const LinkProfile& link, uint64_t bytes_fetched, uint64_t requests);

/// The time of a run, from runs of the same job.
///
/// A run takes its computing and what the link adds. Where devices carry the bytes both go on at
/// once, and the larger one counts; shm and tcp use the processors that compute, so theirs adds up:
///
///     T = max(compute + handling, carry)                  over verbs
///     T = compute + handling + share(transport) * carry   over shm and tcp
///
/// with the link's own carry = bytes / bandwidth + requests / rate, and a fixed time of a thread
/// for handling a request. A run with the same placement tells T. Else computing is what is left of
/// the run with the most similar placement: in the same form and with or without heads alike, far
/// or local alike, over the same link, with the closest far ratio. If it is far it tells the bytes,
/// too, in proportion to the far ratio.
RunForecast Forecast(const PlannedRun& run, const std::vector<PastRuns>& past);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_FORECAST_TIME_MODEL_H_
