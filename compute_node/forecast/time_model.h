#ifndef FARGRAPH_COMPUTE_NODE_FORECAST_TIME_MODEL_H_
#define FARGRAPH_COMPUTE_NODE_FORECAST_TIME_MODEL_H_

#include <cstdint>
#include <vector>

#include "compute_node/engine/effort.h"
#include "compute_node/forecast/machine_profile.h"
#include "compute_node/forecast/planned_run.h"
#include "compute_node/forecast/run_history.h"

/// How long a run takes (docs/plan.md). A placement changes what the link adds to a run, and not
/// what the run computes, how often it scans and what it reads of every list:
///
///     T        = max(compute + handling + share * carry, carry) + wait
///     carry    = bytes / bandwidth + requests / rate       of the link; over shm without requests
///     wait     = far scans * (latency of the link + start of all threads)
///     handling = (requests * what a thread takes to plan one
///                 + lists that steps ask for * what it takes to find one) / threads
///
/// The share is LinkProfile's of the processors: 1 over shm and tcp, where they copy all that
/// comes. So a run tells what another one with any placement will take. Of a job that has not run,
///
///     compute  = (edge visits + vertex visits) * visit / threads
///              + random visits * scatter / random reads per second + steps * start
///
/// and of a run that reads codes what it takes to decode them, where a visit is in proportion to
/// what the machine takes for one (machine_profile.h), and the scatter of the graph (list_sample.h)
/// is the part of the random visits that finds its vertex in no cache. If it reads its lists in
/// several parts the share is halfway to 1 from devices, too, as long as no run has told better: it
/// has less to compute on while a part is read.
namespace fargraph {

/// What a forecast of a run's time rests on, the best first.
enum class Basis : uint8_t {
  kSameRun,    ///< runs of this job with this placement
  kOtherRuns,  ///< runs of this job with other placements
  kEstimate,   ///< the graph's size, and how fast the machine is; or runs that had the first
               ///< neighbours at hand when this one has not, or that read codes when this one reads
               ///< edges, or the other way round
};

/// Where runs take place.
struct Machine {
  uint32_t threads = 1;
  double start_seconds = 0;                 ///< of MachineProfile
  std::vector<std::vector<PastRuns>> jobs;  ///< all that ran here with so many threads
};

struct RunForecast {
  double seconds = 0;  ///< of the kernel
  uint64_t bytes_fetched = 0;
  uint64_t requests = 0;
  uint64_t iterations = 0;  ///< 0: not known
  Basis basis = Basis::kEstimate;
};

/// What a run computes of which nothing is known. `scatter`: of ListSample.
double EstimateComputing(const Effort& effort, const GraphManifest& graph, double scatter,
                         const MachineProfile& machine, uint32_t threads);

/// What it takes beside that if the lists are compressed.
double EstimateDecoding(const Effort& effort, const GraphManifest& graph, uint32_t threads);

/// The time of a run, from runs of the same job. One with the same placement tells it. Else
/// computing is what is left of the run with the most similar placement without its link's part: in
/// the same form, with or without the first neighbours at hand alike, far or local alike, over the
/// same link, with the closest far ratio; where only one of both has the first neighbours at hand,
/// by the ratio of the estimates, and where only one reads codes, with or without decoding them.
/// What is read comes from the most similar one that was far, in proportion to the far ratio and to
/// what lists take in their form, in requests as this link merges them.
RunForecast Forecast(const PlannedRun& run, const std::vector<PastRuns>& past,
                     const Machine& machine);

/// How many times as long as estimated jobs computed on the machine: the median of them, and of
/// three that took what was estimated, so that not one of them decides. Of each job its run counts
/// of which the link took least, if that was not the most of it; none where processors do not copy
/// all, so that runs do not tell one part from the other.
double MachineSlowness(const Machine& machine);

/// How many times as long as by the formula the links' part of runs took over the link of that
/// placement, by all jobs that ran over it and all local: 1 if none did, and where processors do
/// not copy all. While threads compute, too, a link is slower than it was when it was measured.
double LinkSlowness(const ListPlacement& placement, const Machine& machine);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_FORECAST_TIME_MODEL_H_
