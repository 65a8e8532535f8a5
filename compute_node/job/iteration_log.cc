#include "compute_node/job/iteration_log.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"

namespace fargraph {

void IterationLog::BeginTrial(const Graph& graph) {
  graph_ = &graph;
  ++trial_;
  iteration_ = 0;
  begin_ = absl::Now();
  stats_before_ = graph.stats();
}

void IterationLog::EndIteration(uint64_t active) {
  const absl::Time now = absl::Now();
  const StreamStats stats = graph_->stats();
  const StreamStats since = stats - stats_before_;
  records_.push_back({.trial = trial_,
                      .iteration = ++iteration_,
                      .active = active,
                      .seconds = absl::ToDoubleSeconds(now - begin_),
                      .stall_seconds = since.stall_seconds,
                      .requests = since.requests,
                      .bytes_fetched = since.bytes_fetched,
                      .bytes_useful = since.bytes_useful});
  begin_ = now;
  stats_before_ = stats;
}

std::string IterationLog::Csv() const {
  std::string csv =
      "trial,iteration,active_vertices,seconds,stall_seconds,requests,bytes_fetched,bytes_useful\n";
  const double threads =
      static_cast<double>(std::max<size_t>(graph_ == nullptr ? 0 : graph_->streams(), 1));
  for (const Record& record : records_) {
    absl::StrAppendFormat(&csv, "%d,%d,%d,%.9f,%.9f,%d,%d,%d\n", record.trial, record.iteration,
                          record.active, record.seconds, record.stall_seconds / threads,
                          record.requests, record.bytes_fetched, record.bytes_useful);
  }
  return csv;
}

}  // namespace fargraph
