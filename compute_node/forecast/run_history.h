#ifndef FARGRAPH_COMPUTE_NODE_FORECAST_RUN_HISTORY_H_
#define FARGRAPH_COMPUTE_NODE_FORECAST_RUN_HISTORY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/files/cache_file.h"
#include "compute_node/pipeline/read_pattern.h"
#include "compute_node/tiers/link_profile.h"
#include "nlohmann/json.hpp"

namespace fargraph {

/// What decides how long a job takes, but for where its lists lie.
struct JobId {
  std::string host;
  std::string graph;  ///< its content id
  std::string kernel;
  std::string options;  ///< of the kernel, but for the source
  uint32_t threads = 0;
};

/// Where a job's lists lie.
struct ListPlacement {
  std::string transport = "local";
  std::vector<std::string> hosts;  ///< of the memory nodes, ascending; none for shm and local
  double far_ratio = 0;            ///< as planned
  double ssd_ratio = 0;            ///< of it the part on SSDs, beside memory nodes
  uint64_t copy_bytes = 0;         ///< of heads that are held
  bool compressed = false;

  /// True if runs with these differ by nothing but disturbances: the ratios by less than half a
  /// hundredth.
  bool IsLike(const ListPlacement& other) const;
};

/// Of one value or more; between the two in the middle where there is none.
double Median(std::vector<double> values);

/// What runs with one placement took.
struct PastRuns {
  ListPlacement placement;
  std::vector<double> seconds;  ///< of the kernel, newest run first

  // Of the newest.
  double estimated_seconds = 0;  ///< of computing, as far as the graph and the machine tell
  uint64_t iterations = 0;
  uint64_t far_scans = 0;  ///< Graph::far_scans
  uint64_t bytes_fetched = 0;
  uint64_t requests = 0;
  ReadPattern pattern;       ///< of the lists that were read
  uint64_t chunk_bytes = 0;  ///< like the link 0 when all was local
  LinkProfile link;

  double MedianSeconds() const;
};

/// What jobs on this machine took, in a small file beside that of the links.
class RunHistory {
 public:
  /// runs.json in the user's cache directory (CacheFile::DefaultPath).
  static std::string DefaultPath();

  /// An empty path is a history that keeps nothing.
  explicit RunHistory(std::string path);

  /// One entry for each placement, the one that ran last first.
  std::vector<PastRuns> Find(const JobId& job) const;

  /// The runs of every job of that host and as many threads, by job.
  std::vector<std::vector<PastRuns>> FindAll(const JobId& job) const;

  /// Adds a run with one time in `seconds`. The last few runs of the last few placements are kept.
  /// Errors of the file system.
  absl::Status Add(const JobId& job, const PastRuns& run) const;

 private:
  CacheFile file_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_FORECAST_RUN_HISTORY_H_
