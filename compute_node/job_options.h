#ifndef FARGRAPH_COMPUTE_NODE_JOB_OPTIONS_H_
#define FARGRAPH_COMPUTE_NODE_JOB_OPTIONS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/transport/transport.h"
#include "compute_node/engine/kernel.h"
#include "compute_node/output.h"

namespace fargraph {

class Graph;
struct JobForecast;

/// Everything that `fargraph run` may be asked. See docs/command-line.md.
struct JobOptions {
  std::string algorithm;
  std::string graph_path;

  std::vector<std::string> memory_nodes;     ///< HOST:PORT each
  std::vector<std::string> ssd_directories;  ///< one for each SSD; beside memory nodes for what
                                             ///< these have no room for; neither: all is local
  std::optional<transport::Kind> transport;  ///< nullopt: the best that all sides have
  std::string token;
  double far_ratio = 0;  ///< of the edge bytes; ignored when local_memory_bytes is set
  std::optional<uint64_t> local_memory_bytes;
  std::optional<uint64_t> chunk_bytes;  ///< nullopt: tuned to the link
  std::optional<uint64_t> buffers;      ///< of a chunk, per thread, from 1; nullopt: tuned
  std::string link_cache_path;          ///< where measurements of links are kept, as the command
                                        ///< does in LinkCache::DefaultPath(); empty: nowhere, so
                                        ///< that every job measures its link anew
  std::string run_history_path;         ///< where times of runs are kept; empty: nowhere
  std::string machine_profile_path;     ///< where the speed of this host is kept; empty: nowhere
  std::optional<bool> compressed;       ///< lists of a compressed graph are decoded by the scans,
                                        ///< not once on loading; nullopt: whichever is faster
  bool keep = false;  ///< leave the far edges on the memory nodes for the next job

  std::optional<uint64_t> source;   ///< in the input's own ids
  std::optional<uint64_t> sources;  ///< how many to sample, from 1; not beside source
  std::optional<uint64_t> iterations;
  std::optional<double> tolerance;
  std::optional<double> delta;
  uint64_t trials = 1;  ///< runs of the kernel, one after the other, from 1; the last one's answer
                        ///< counts
  Precision precision = Precision::kDouble;
  bool verify = false;
  bool verify_files = false;
  std::string output_path;  ///< empty: none
  OutputFormat output_format = OutputFormat::kText;
  std::string iteration_log_path;  ///< empty: none
  std::string read_trace_path;  ///< of what is read list by list, which takes longer; empty: none

  const std::atomic<bool>* cancelled = nullptr;  ///< any thread may set it
  // What follows is called by the thread that runs the job or opens the graph, which waits for it;
  // on_load by one of several threads, one at a time.
  std::function<void(const JobForecast&)>
      on_plan;  ///< called before anything is loaded, if set: what the job will take
  std::function<void(absl::string_view line)>
      log;  ///< one line of news, before the graph is loaded and after: the transport chosen, and
            ///< why
  /// Called while the graph is loaded, block by block: bytes of lists, weights included, placed so
  /// far, and all of them.
  std::function<void(uint64_t done, uint64_t total)> on_load;
  /// Called once the graph is placed; it lives as long as on_iteration is called.
  std::function<void(const Graph&)> on_graph;
  /// Called at the end of each iteration, outside of parallel regions: how many there were since
  /// the graph was placed, those of earlier trials included, and the vertices that it worked on. A
  /// program that has opened a graph calls Graph::EndIteration, which calls this on its thread.
  std::function<void(uint64_t iteration, uint64_t active)> on_iteration;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_JOB_OPTIONS_H_
