#ifndef FARGRAPH_COMPUTE_NODE_JOB_H_
#define FARGRAPH_COMPUTE_NODE_JOB_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/transport/transport.h"
#include "compute_node/engine/kernel.h"
#include "compute_node/output.h"

namespace fargraph {

/// Everything that `fargraph run` may be asked. See docs/command-line.md.
struct JobOptions {
  std::string algorithm;
  std::string graph_path;

  std::vector<std::string> memory_nodes;     ///< HOST:PORT each; none: all is local
  std::optional<transport::Kind> transport;  ///< nullopt: the best that all sides have
  std::string token;
  double far_ratio = 0;  ///< of the edge bytes; ignored when local_memory_bytes is set
  std::optional<uint64_t> local_memory_bytes;
  std::optional<uint64_t> chunk_bytes;  ///< nullopt: tuned to the link
  std::optional<uint64_t> buffers;      ///< of a chunk, per thread, from 1; nullopt: tuned
  std::string link_cache_path;          ///< where measurements of links are kept; empty: nowhere
  std::optional<bool> compressed;       ///< lists of a compressed graph are decoded by the scans,
                                        ///< not once on loading; nullopt: whichever is faster
  bool keep = false;  ///< leave the far edges on the memory nodes for the next job

  std::optional<uint64_t> source;   ///< in the input's own ids
  std::optional<uint64_t> sources;  ///< how many to sample, from 1; not beside source
  std::optional<uint64_t> iterations;
  std::optional<double> tolerance;
  std::optional<double> delta;
  uint64_t trials = 1;  ///< runs of the kernel, one after the other; the last one's answer counts
  Precision precision = Precision::kDouble;
  bool verify = false;
  bool verify_files = false;
  std::string output_path;  ///< empty: none
  OutputFormat output_format = OutputFormat::kText;

  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(absl::string_view line)>
      log;  ///< one line of news: the transport chosen, and why
  std::function<void(uint64_t done, uint64_t total)> on_load;  ///< bytes of edges placed so far
  std::function<void(uint64_t iteration, uint64_t active)> on_iteration;
};

/// What a job tells about itself; the fields of --json.
struct JobReport {
  std::string algorithm;
  std::string graph;
  uint64_t vertices = 0;
  uint64_t edges = 0;
  std::string transport;  ///< "local" without memory nodes
  double far_ratio = 0;   ///< as placed: what is not local, heads included, of the edge bytes
  bool attached = false;  ///< the far edges were there already
  double seconds = 0;     ///< the kernel alone
  std::vector<double> trial_seconds;  ///< the same for each trial; seconds is the last
  double load_seconds = 0;
  uint64_t iterations = 0;
  uint64_t bytes_fetched = 0;
  uint64_t bytes_useful = 0;
  uint64_t requests = 0;
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
/// at a time. Errors as their codes are documented in common/exit_code.h; Aborted: the verifier
/// found the answer wrong.
absl::StatusOr<JobReport> RunJob(const JobOptions& options);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_JOB_H_
