#ifndef FARGRAPH_COMPUTE_NODE_CLI_REPORTS_JOB_METRICS_H_
#define FARGRAPH_COMPUTE_NODE_CLI_REPORTS_JOB_METRICS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "common/metrics/metric.h"
#include "compute_node/engine/graph.h"
#include "compute_node/pipeline/stream_stats.h"

namespace fargraph {

/// How far a job is, as Prometheus shows it; docs/metrics.md says what each figure is. What the job
/// counts anyway is copied here at the end of each iteration, so that a scan pays nothing. One
/// thread at a time tells the progress; any may collect.
class JobMetrics {
 public:
  JobMetrics(std::string algorithm, std::string graph);

  void ShowLoad(uint64_t done, uint64_t total);
  /// `graph` outlives the iterations.
  void BeginRun(const Graph& graph);
  void EndIteration(uint64_t active);

  std::vector<Metric> Collect() const;

 private:
  const std::string algorithm_;
  const std::string graph_name_;
  const absl::Time begin_;
  const Graph* graph_ = nullptr;

  mutable absl::Mutex mutex_;
  uint64_t loaded_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t load_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t iterations_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t active_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t streams_ ABSL_GUARDED_BY(mutex_) = 1;
  StreamStats stats_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_REPORTS_JOB_METRICS_H_
