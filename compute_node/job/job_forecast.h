#ifndef FARGRAPH_COMPUTE_NODE_JOB_JOB_FORECAST_H_
#define FARGRAPH_COMPUTE_NODE_JOB_JOB_FORECAST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/host/huge_pages.h"
#include "compute_node/forecast/run_history.h"
#include "compute_node/forecast/time_model.h"
#include "compute_node/job/job_plan.h"
#include "compute_node/job_options.h"
#include "compute_node/placement/placement_plan.h"
#include "compute_node/tiers/link_profile.h"

namespace fargraph {

/// What a job would take with one placement.
struct PlacementForecast {
  double far_ratio = 0;
  uint64_t peak_memory_bytes = 0;  ///< of the process from loading on
  RunForecast run;
};

/// What a job will take, as far as can be told before anything is loaded.
struct JobForecast {
  std::string algorithm;
  std::string graph;
  uint64_t vertices = 0;
  uint64_t edges = 0;
  uint32_t threads = 0;
  std::string transport;  ///< "local" without memory nodes and SSDs
  PlacementPlan placement;
  uint64_t chunk_bytes = 0;
  uint32_t buffers = 0;            ///< chunks that a thread has room for; 0 when all is local
  bool compressed = false;         ///< lists stay compressed
  LinkProfile link;                ///< zeros when all is local
  uint64_t process_bytes = 0;      ///< of the peak, what is no segment: code, stacks, connections
  HugePages huge_pages;            ///< that there are now
  uint64_t huge_pages_wanted = 0;  ///< reserved ones that lists and buffers could use
  PlacementForecast planned;
  std::vector<PlacementForecast> others;  ///< at other far ratios, ascending, if there are any
  uint64_t smallest_budget = 0;           ///< that --local_memory accepts
};

/// Call it before anything is loaded. `plan`: of `planner`. Measures the link to far memory, or
/// remembers it, even if the plan leaves everything local; errors of that.
absl::StatusOr<JobForecast> ForecastJob(const JobOptions& options, const JobInputs& inputs,
                                        const JobPlan& plan, JobPlanner& planner);

/// The same for a job that nobody is going to run now. Errors as RunJob's.
absl::StatusOr<JobForecast> ForecastJob(const JobOptions& options);

/// Under which a job's time is remembered.
JobId IdentifyJob(const JobOptions& options, const JobInputs& inputs);

/// How long a job that nobody has run computes. Measures the machine, or remembers it, and the
/// graph; DataLoss of that.
absl::StatusOr<double> EstimateComputeSeconds(const JobOptions& options, const JobInputs& inputs,
                                              const JobPlan& plan);

/// How a plan places lists, as far as that decides on time.
ListPlacement PlacementOf(const JobPlan& plan);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_JOB_JOB_FORECAST_H_
