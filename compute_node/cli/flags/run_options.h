#ifndef FARGRAPH_COMPUTE_NODE_CLI_FLAGS_RUN_OPTIONS_H_
#define FARGRAPH_COMPUTE_NODE_CLI_FLAGS_RUN_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/files/output_file.h"
#include "compute_node/job/job.h"

namespace fargraph {

/// What `fargraph run` was asked for.
struct RunOptions {
  JobOptions job;         ///< without its callbacks
  std::string json_path;  ///< empty: none; "-": standard output

  /// True if the job's answer or report takes standard output, so nothing else may.
  bool UsesStandardOutput() const {
    return OutputFile::IsStandardOutput(job.output_path) ||
           OutputFile::IsStandardOutput(json_path) ||
           OutputFile::IsStandardOutput(job.iteration_log_path) ||
           OutputFile::IsStandardOutput(job.read_trace_path);
  }
};

/// The flags of `fargraph run`.
std::vector<absl::string_view> RunFlags();

/// Reads the flags, as they are set now, and checks them with each other. `arguments`: KERNEL and
/// GRAPH. InvalidArgument names the flag, what is wrong with it and what it takes, or that the
/// kernel does not take it.
absl::StatusOr<RunOptions> ReadRunOptions(const std::vector<std::string>& arguments);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_FLAGS_RUN_OPTIONS_H_
