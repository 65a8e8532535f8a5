#ifndef FARGRAPH_COMPUTE_NODE_JOB_JOB_H_
#define FARGRAPH_COMPUTE_NODE_JOB_JOB_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compute_node/job_options.h"
#include "compute_node/pipeline/read_pattern.h"
#include "nlohmann/json.hpp"

namespace fargraph {

/// What a job tells about itself; the fields of --json.
struct JobReport {
  std::string algorithm;
  std::string graph;
  uint64_t vertices = 0;
  uint64_t edges = 0;
  std::string transport;  ///< "local" without memory nodes and SSDs
  double far_ratio = 0;   ///< as placed: what is not local, heads included, of the edge bytes
  double ssd_ratio = 0;   ///< as placed: what is on SSDs of the edge bytes
  bool attached = false;  ///< the far edges were there already
  double seconds = 0;     ///< the kernel alone
  std::vector<double> trial_seconds;  ///< the same for each trial; seconds is the last
  double load_seconds = 0;
  uint64_t iterations = 0;
  uint64_t bytes_fetched = 0;
  uint64_t bytes_useful = 0;
  uint64_t requests = 0;
  uint64_t far_scans = 0;                 ///< Graph::far_scans
  ReadPattern read_pattern;               ///< of the far lists
  double stall_seconds = 0;               ///< mean over the threads
  double link_peak_bytes_per_second = 0;  ///< as measured; 0 when all is local
  bool compressed = false;  ///< lists stayed compressed, those without weights at least
  uint64_t chunk_bytes = 0;
  uint32_t buffers = 0;            ///< chunks that a thread has room for; 0 when all is local
  uint64_t peak_memory_bytes = 0;  ///< of the process from loading on, huge pages included
  std::optional<bool> verified;    ///< nullopt: not asked
  nlohmann::ordered_json answer;
};

/// Runs one job from open to output, and leaves nothing behind but what was asked for. Call it once
/// at a time. Errors as their codes are documented in common/exit_code.h; InvalidArgument: a value
/// of the options is out of its range; Aborted: the verifier found the answer wrong.
absl::StatusOr<JobReport> RunJob(const JobOptions& options);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_JOB_JOB_H_
