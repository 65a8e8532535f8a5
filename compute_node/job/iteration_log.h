#ifndef FARGRAPH_COMPUTE_NODE_JOB_ITERATION_LOG_H_
#define FARGRAPH_COMPUTE_NODE_JOB_ITERATION_LOG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "compute_node/engine/graph.h"
#include "compute_node/pipeline/stream_stats.h"

namespace fargraph {

/// What each iteration of a job read, and how long it took: a table in CSV, docs/output-format.md.
/// Used by the thread that runs the kernel.
class IterationLog {
 public:
  /// A trial begins on the graph, which outlives it.
  void BeginTrial(const Graph& graph);

  /// `active`: as Graph::EndIteration has it.
  void EndIteration(uint64_t active);

  std::string Csv() const;

 private:
  struct Record {
    uint64_t trial = 0;
    uint64_t iteration = 0;
    uint64_t active = 0;
    double seconds = 0;
    double stall_seconds = 0;  ///< of all threads
    uint64_t requests = 0;
    uint64_t bytes_fetched = 0;
    uint64_t bytes_useful = 0;
  };

  const Graph* graph_ = nullptr;
  uint64_t trial_ = 0;
  uint64_t iteration_ = 0;
  absl::Time begin_;          ///< of the iteration
  StreamStats stats_before_;  ///< it
  std::vector<Record> records_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_JOB_ITERATION_LOG_H_
