#include "compute_node/cli/job_threads.h"

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/host/processors.h"
#include "common/status_macros.h"
#include "compute_node/cli/flags/memory_node_flags.h"
#include "compute_node/cli/wait_policy.h"
#include "compute_node/tiers/near_ssds.h"
#include "gflags/gflags.h"

DEFINE_int32(threads, 0, "Threads to compute with; 0: as many as this process can keep at work");

namespace fargraph {

void LimitThreads() {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return;
  omp_set_num_threads(std::min(omp_get_max_threads(), UsableProcessors()));
}

absl::Status SetUpThreads() {
  constexpr int kMostThreads = 4096;
  if (FLAGS_threads < 0 || FLAGS_threads > kMostThreads) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--threads cannot be '", FLAGS_threads, "': it takes a number from 0 to ", kMostThreads));
  }
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> ssd_directories, SsdDirectoriesFlag());
  if (!ssd_directories.empty()) SleepWhileWaiting();
  if (FLAGS_threads > 0) omp_set_num_threads(FLAGS_threads);
  StayNear(ssd_directories);
  return absl::OkStatus();
}

}  // namespace fargraph
