#include "compute_node/cli/commands/build_command.h"

#include <filesystem>
#include <optional>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/files/output_file.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/cli/flags/flag_values.h"
#include "compute_node/cli/interruption.h"
#include "compute_node/cli/reports/progress.h"
#include "gflags/gflags.h"
#include "graph/describe.h"

DEFINE_bool(symmetrize, false, "Make the graph undirected: store every edge in both directions");
DEFINE_bool(reverse, true,
            "Store in-edges too, which pulling algorithms read; an undirected graph has no need");
DEFINE_bool(remove_self_loops, false, "Leave out edges from a vertex to itself");
DEFINE_bool(remove_duplicates, false,
            "Of edges with the same source and target keep the one with the smallest weight");
DEFINE_string(order, "auto",
              "The order of the vertices: degree (hubs first), input, or auto, which takes degree "
              "where degrees are skewed");
DEFINE_string(heads, "4",
              "Store the first N neighbours of every vertex on their own too, from 0 to 64; they "
              "stay local when lists go far");
DEFINE_bool(compress, false,
            "Store the lists compressed, in about half the bytes, for jobs that wait for the link");
DEFINE_bool(overwrite, false, "Replace the graph OUT if it is there already");
DEFINE_string(sort_memory, "512MiB", "The memory for sorting edges, at least 16MiB");

namespace fargraph {
namespace {

constexpr uint64_t kLeastSortMemory = 16 * kMiB;

absl::StatusOr<std::optional<VertexOrder>> ReadOrder() {
  if (FLAGS_order == "auto") return std::nullopt;
  if (FLAGS_order == "degree") return VertexOrder::kDegree;
  if (FLAGS_order == "input") return VertexOrder::kInput;
  return absl::InvalidArgumentError(
      absl::StrCat("--order cannot be '", FLAGS_order, "': it takes auto, degree or input"));
}

absl::StatusOr<BuildOptions> ReadBuildOptions() {
  BuildOptions options = {.symmetrize = FLAGS_symmetrize,
                          .reverse = FLAGS_reverse,
                          .remove_self_loops = FLAGS_remove_self_loops,
                          .remove_duplicates = FLAGS_remove_duplicates,
                          .compress = FLAGS_compress,
                          .overwrite = FLAGS_overwrite};
  FARGRAPH_ASSIGN_OR_RETURN(options.order, ReadOrder());
  FARGRAPH_ASSIGN_OR_RETURN(const auto heads, OptionalWhole("heads", FLAGS_heads, 0, kMaxHeads));
  options.heads = heads.value_or(options.heads);
  FARGRAPH_ASSIGN_OR_RETURN(const auto memory, OptionalBytes("sort_memory", FLAGS_sort_memory));
  options.memory_bytes = memory.value_or(options.memory_bytes);
  if (options.memory_bytes < kLeastSortMemory) {
    return absl::InvalidArgumentError(absl::StrCat("--sort_memory cannot be '", FLAGS_sort_memory,
                                                   "': it takes a size from 16MiB"));
  }
  return options;
}

uint64_t FileBytes(const std::string& path) {
  std::error_code no_file;
  const uint64_t bytes = std::filesystem::file_size(path, no_file);
  return no_file ? 0 : bytes;
}

std::string FormatTime(absl::Duration time, uint64_t input_bytes) {
  const double seconds = absl::ToDoubleSeconds(time);
  std::string text = absl::StrFormat("%-14s%.1f s", "time", seconds);
  if (input_bytes > 0 && seconds > 0) {
    absl::StrAppendFormat(&text, ", %.1f MB/s of input",
                          static_cast<double>(input_bytes) / seconds / 1e6);
  }
  return absl::StrCat(text, "\n");
}

}  // namespace

std::vector<absl::string_view> BuildFlags() {
  return {"symmetrize", "reverse",  "remove_self_loops", "remove_duplicates", "order",
          "heads",      "compress", "overwrite",         "sort_memory"};
}

absl::Status BuildAndReport(
    const std::function<absl::StatusOr<BuildReport>(const BuildOptions&)>& build,
    const std::string& input) {
  FARGRAPH_ASSIGN_OR_RETURN(BuildOptions options, ReadBuildOptions());
  Progress progress;
  options.progress = [&](const BuildProgress& news) {
    progress.ShowEdges(news.phase, news.done, news.total);
  };
  options.cancelled = [] { return Interrupted()->load(); };
  const absl::Time start = absl::Now();
  FARGRAPH_ASSIGN_OR_RETURN(const BuildReport report, build(options));
  const absl::Duration time = absl::Now() - start;
  progress.Clear();
  return WriteWholeFile("-",
                        absl::StrCat(FormatReport(report), FormatTime(time, FileBytes(input))));
}

}  // namespace fargraph
