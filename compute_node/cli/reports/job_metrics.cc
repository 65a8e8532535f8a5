#include "compute_node/cli/reports/job_metrics.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "common/host/process_memory.h"

namespace fargraph {

JobMetrics::JobMetrics(std::string algorithm, std::string graph)
    : algorithm_(std::move(algorithm)), graph_name_(std::move(graph)), begin_(absl::Now()) {}

void JobMetrics::ShowLoad(uint64_t done, uint64_t total) {
  const absl::MutexLock lock(&mutex_);
  loaded_bytes_ = done;
  load_bytes_ = total;
}

void JobMetrics::BeginRun(const Graph& graph) { graph_ = &graph; }

void JobMetrics::EndIteration(uint64_t active) {
  const StreamStats stats = graph_->stats();
  const absl::MutexLock lock(&mutex_);
  ++iterations_;
  active_ = active;
  streams_ = std::max<uint64_t>(graph_->streams(), 1);
  stats_ = stats;
}

std::vector<Metric> JobMetrics::Collect() const {
  const auto number = [](uint64_t count) { return static_cast<double>(count); };
  const Metric info = {
      "fargraph_job_info",
      "1, with what is run on what.",
      Metric::Kind::kGauge,
      {{.labels = {{"algorithm", algorithm_}, {"graph", graph_name_}}, .value = 1}}};
  const absl::MutexLock lock(&mutex_);
  return {
      info,
      Gauge("fargraph_job_uptime_seconds", "Since the start of the job.",
            absl::ToDoubleSeconds(absl::Now() - begin_)),
      Gauge("fargraph_job_load_bytes", "Edges to place before the kernel runs.",
            number(load_bytes_)),
      Gauge("fargraph_job_loaded_bytes", "Of those, placed.", number(loaded_bytes_)),
      Counter("fargraph_job_iterations_total", "Iterations that have ended, of all trials.",
              number(iterations_)),
      Gauge("fargraph_job_active_vertices", "At the end of the last iteration.", number(active_)),
      Counter("fargraph_job_fetched_bytes_total", "Read over the link by the iterations.",
              number(stats_.bytes_fetched)),
      Counter("fargraph_job_useful_bytes_total", "Of those, of lists that the kernel asked for.",
              number(stats_.bytes_useful)),
      Counter("fargraph_job_requests_total", "Reads in which they came.", number(stats_.requests)),
      Counter("fargraph_job_stall_seconds_total",
              "Time in which threads waited for the link, averaged over the threads.",
              stats_.stall_seconds / number(streams_)),
      Gauge("fargraph_job_memory_bytes", "Memory of the process, huge pages included.",
            number(MemoryBytes())),
  };
}

}  // namespace fargraph
