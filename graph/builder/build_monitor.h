#ifndef FARGRAPH_GRAPH_BUILDER_BUILD_MONITOR_H_
#define FARGRAPH_GRAPH_BUILDER_BUILD_MONITOR_H_

#include <cstdint>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "graph/builder.h"

namespace fargraph {

/// Where the phases of a build report to: hands progress on and asks whether to go on. Any thread.
class BuildMonitor {
 public:
  BuildMonitor(const BuildOptions& options, std::string output)
      : options_(options), output_(std::move(output)) {}

  /// Cancelled when the build is to stop.
  absl::Status Report(absl::string_view phase, uint64_t done, uint64_t total) {
    const std::lock_guard lock(mutex_);
    if (options_.progress) options_.progress({phase, done, total});
    if (!options_.cancelled || !options_.cancelled()) return absl::OkStatus();
    return absl::CancelledError(
        absl::StrCat("Writing the graph ", output_, ": interrupted; nothing was left behind"));
  }

 private:
  const BuildOptions& options_;
  std::string output_;
  std::mutex mutex_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_BUILD_MONITOR_H_
