#include "compute_node/cli/flags/run_options.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files/cache_file.h"
#include "common/status_macros.h"
#include "compute_node/cli/flags/flag_values.h"
#include "compute_node/cli/flags/kernel_flags.h"
#include "compute_node/cli/flags/memory_node_flags.h"
#include "compute_node/cli/flags/output_flags.h"
#include "compute_node/forecast/run_history.h"
#include "compute_node/tiers/link_cache.h"
#include "gflags/gflags.h"

DEFINE_string(far_ratio, "",
              "The share of the edge bytes that lies on the memory nodes or SSDs, from 0 to 1");
DEFINE_string(local_memory, "",
              "Instead of --far_ratio: the memory that the job may use here, such as 4GiB; the "
              "edges that do not fit lie on the memory nodes or SSDs");
DEFINE_string(
    chunk_size, "",
    "The piece in which edges move, from 4KiB to 4MiB, in whole KiB; tuned to the link if not "
    "set");
DEFINE_string(
    buffers, "",
    "Chunks that each thread has room for; 1: each is computed on before the next is asked "
    "for; tuned to the link if not set");
DEFINE_string(
    lists, "auto",
    "Of a compressed graph: edges decodes its lists once, when they are loaded, codes "
    "whenever they are read, which takes less memory and link; auto takes what is faster");
DEFINE_bool(keep, false, "Leave the far edges on the memory nodes for the next job");
DEFINE_string(source, "", "The vertex to begin at, by its id in the input that was converted");
DEFINE_string(sources, "",
              "apsp, bc: instead of --source, the number of vertices to sample as sources");
DEFINE_string(iterations, "", "The number of iterations to do, or at most to do");
DEFINE_string(tolerance, "", "The change between two iterations at which to stop");
DEFINE_string(precision, "double",
              "double or single: the arithmetic of kernels that compute in floating point");
DEFINE_string(trials, "1", "Times to run the kernel, each timed; the last one's answer counts");
DEFINE_string(delta, "",
              "sssp: the width of a bucket of distances; chosen from the weights if not set");
DEFINE_bool(
    verify, false,
    "Compute the answer anew, serially and from the files, and compare; takes memory for all "
    "edges, whatever --local_memory says");
DEFINE_string(output, "", "The file to write every vertex' result to; - is standard output");
DEFINE_string(output_format, "text", "text or binary (docs/output-format.md)");
DEFINE_string(iteration_log, "",
              "The file to write a table in CSV to: what each iteration read, and its time");
DEFINE_string(read_trace, "",
              "The file to write what is read of memory nodes and SSDs to, every list alone, as a "
              "block trace for fargraph replay");
DEFINE_string(json, "", "The file to write a report in JSON to; - is standard output");
DEFINE_bool(verify_files, false, "Check every byte of the graph's files before use");

namespace fargraph {
namespace {

absl::Status ReadMemoryNodeFlags(JobOptions& job) {
  FARGRAPH_ASSIGN_OR_RETURN(job.memory_nodes, MemoryNodesFlag());
  FARGRAPH_ASSIGN_OR_RETURN(job.token, TokenFlag());
  FARGRAPH_ASSIGN_OR_RETURN(job.transport, TransportFlag());
  if (job.transport && job.memory_nodes.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--transport=", transport::KindName(*job.transport),
                     " is the way to memory nodes; name --memory_nodes"));
  }
  job.link_cache_path = LinkCache::DefaultPath();
  job.run_history_path = RunHistory::DefaultPath();
  job.machine_profile_path = CacheFile::DefaultPath("machine.json");
  return absl::OkStatus();
}

absl::Status ReadPlacementFlags(JobOptions& job) {
  FARGRAPH_ASSIGN_OR_RETURN(const auto far_ratio, OptionalNumber("far_ratio", FLAGS_far_ratio));
  FARGRAPH_ASSIGN_OR_RETURN(job.local_memory_bytes,
                            OptionalBytes("local_memory", FLAGS_local_memory));
  FARGRAPH_ASSIGN_OR_RETURN(job.chunk_bytes, OptionalBytes("chunk_size", FLAGS_chunk_size));
  if (far_ratio && job.local_memory_bytes) {
    return absl::InvalidArgumentError(
        "--far_ratio and --local_memory both say where edges lie; set one of them");
  }
  job.far_ratio = far_ratio.value_or(0);
  if (!(job.far_ratio >= 0 && job.far_ratio <= 1)) {
    return absl::InvalidArgumentError(absl::StrCat("--far_ratio cannot be '", FLAGS_far_ratio,
                                                   "': it takes a number from 0 to 1"));
  }
  if (job.far_ratio > 0 && job.memory_nodes.empty() && job.ssd_directories.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--far_ratio=", FLAGS_far_ratio,
                     " needs somewhere to put the edges; name --memory_nodes or --ssd_dirs"));
  }
  if (job.chunk_bytes && !IsChunkSize(*job.chunk_bytes)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--chunk_size cannot be '", FLAGS_chunk_size,
                     "': it takes a size from 4KiB to 4MiB, in whole KiB"));
  }
  FARGRAPH_ASSIGN_OR_RETURN(job.buffers, OptionalWhole("buffers", FLAGS_buffers, 1, kMostSlots));
  if (FLAGS_lists != "auto" && FLAGS_lists != "edges" && FLAGS_lists != "codes") {
    return absl::InvalidArgumentError(
        absl::StrCat("--lists cannot be '", FLAGS_lists, "': it takes auto, edges or codes"));
  }
  if (FLAGS_lists != "auto") job.compressed = FLAGS_lists == "codes";
  job.keep = FLAGS_keep;
  if (job.keep && job.memory_nodes.empty()) {
    return absl::InvalidArgumentError(
        "--keep leaves far edges on memory nodes, and there are none; name --memory_nodes");
  }
  return absl::OkStatus();
}

absl::Status ReadKernelFlags(JobOptions& job) {
  FARGRAPH_ASSIGN_OR_RETURN(job.source, OptionalWhole("source", FLAGS_source));
  FARGRAPH_ASSIGN_OR_RETURN(job.sources, OptionalWhole("sources", FLAGS_sources, 1));
  if (job.source && job.sources) {
    return absl::InvalidArgumentError(
        "--source and --sources both say where to begin; set one of them");
  }
  FARGRAPH_ASSIGN_OR_RETURN(job.iterations, OptionalWhole("iterations", FLAGS_iterations, 1));
  FARGRAPH_ASSIGN_OR_RETURN(job.tolerance, OptionalNumber("tolerance", FLAGS_tolerance));
  if (job.tolerance && *job.tolerance < 0) {
    return absl::InvalidArgumentError(absl::StrCat("--tolerance cannot be '", FLAGS_tolerance,
                                                   "': it takes a number that is not negative"));
  }
  FARGRAPH_ASSIGN_OR_RETURN(job.delta, OptionalNumber("delta", FLAGS_delta));
  if (job.delta && *job.delta <= 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("--delta cannot be '", FLAGS_delta, "': it takes a number above 0"));
  }
  FARGRAPH_ASSIGN_OR_RETURN(const auto trials, OptionalWhole("trials", FLAGS_trials, 1));
  job.trials = trials.value_or(job.trials);
  if (FLAGS_precision != "double" && FLAGS_precision != "single") {
    return absl::InvalidArgumentError(
        absl::StrCat("--precision cannot be '", FLAGS_precision, "': it takes double or single"));
  }
  job.precision = FLAGS_precision == "single" ? Precision::kSingle : Precision::kDouble;
  job.verify = FLAGS_verify;
  job.verify_files = FLAGS_verify_files;
  return absl::OkStatus();
}

absl::Status ReadOutputFlags(RunOptions& options) {
  if (FLAGS_output_format != "text" && FLAGS_output_format != "binary") {
    return absl::InvalidArgumentError(absl::StrCat(
        "--output_format cannot be '", FLAGS_output_format, "': it takes text or binary"));
  }
  if (FLAGS_output_format != "text" && FLAGS_output.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--output_format=", FLAGS_output_format,
                     " is how to write the results; say where to with --output"));
  }
  options.job.output_path = FLAGS_output;
  options.job.output_format =
      FLAGS_output_format == "binary" ? OutputFormat::kBinary : OutputFormat::kText;
  options.job.iteration_log_path = FLAGS_iteration_log;
  options.job.read_trace_path = FLAGS_read_trace;
  if (!FLAGS_read_trace.empty() && options.job.memory_nodes.empty() &&
      options.job.ssd_directories.empty()) {
    return absl::InvalidArgumentError(
        "--read_trace is of what memory nodes and SSDs are asked for; name --memory_nodes or "
        "--ssd_dirs");
  }
  options.json_path = FLAGS_json;
  return CheckApart({{"--output", FLAGS_output},
                     {"--json", FLAGS_json},
                     {"--iteration_log", FLAGS_iteration_log},
                     {"--read_trace", FLAGS_read_trace}});
}

}  // namespace

std::vector<absl::string_view> RunFlags() {
  return {"memory_nodes", "buffers",       "transport", "far_ratio",     "local_memory",
          "token_file",   "keep",          "source",    "sources",       "iterations",
          "tolerance",    "delta",         "precision", "verify",        "verify_files",
          "output",       "output_format", "json",      "chunk_size",    "threads",
          "trials",       "lists",         "ssd_dirs",  "iteration_log", "read_trace"};
}

absl::StatusOr<RunOptions> ReadRunOptions(const std::vector<std::string>& arguments) {
  RunOptions options;
  options.job.algorithm = arguments.at(0);
  options.job.graph_path = arguments.at(1);
  FARGRAPH_RETURN_IF_ERROR(ReadMemoryNodeFlags(options.job));
  FARGRAPH_ASSIGN_OR_RETURN(options.job.ssd_directories, SsdDirectoriesFlag());
  FARGRAPH_RETURN_IF_ERROR(ReadPlacementFlags(options.job));
  FARGRAPH_RETURN_IF_ERROR(CheckKernelFlags(options.job.algorithm));
  FARGRAPH_RETURN_IF_ERROR(ReadKernelFlags(options.job));
  FARGRAPH_RETURN_IF_ERROR(ReadOutputFlags(options));
  return options;
}

}  // namespace fargraph
