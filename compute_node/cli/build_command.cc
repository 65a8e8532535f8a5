#include "compute_node/cli/build_command.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/cli/flag_values.h"
#include "compute_node/cli/interruption.h"
#include "compute_node/cli/progress.h"
#include "compute_node/cli/text_lines.h"
#include "compute_node/output_file.h"
#include "gflags/gflags.h"

DEFINE_bool(symmetrize, false, "Make the graph undirected: store every edge in both directions");
DEFINE_bool(reverse, true,
            "Store in-edges too, which pulling algorithms read; an undirected graph has no need");
DEFINE_bool(remove_self_loops, false, "Leave out edges from a vertex to itself");
DEFINE_bool(remove_duplicates, false,
            "Of edges with the same source and target keep the one with the smallest weight");
DEFINE_bool(overwrite, false, "Replace the graph OUT if it is there already");
DEFINE_string(sort_memory, "512MiB", "The memory for sorting edges, at least 16MiB");

namespace fargraph {
namespace {

constexpr uint64_t kLeastSortMemory = 16 * kMiB;

absl::StatusOr<BuildOptions> ReadBuildOptions() {
  BuildOptions options = {.symmetrize = FLAGS_symmetrize,
                          .reverse = FLAGS_reverse,
                          .remove_self_loops = FLAGS_remove_self_loops,
                          .remove_duplicates = FLAGS_remove_duplicates,
                          .overwrite = FLAGS_overwrite};
  FARGRAPH_ASSIGN_OR_RETURN(const auto memory, OptionalBytes("sort_memory", FLAGS_sort_memory));
  options.memory_bytes = memory.value_or(options.memory_bytes);
  if (options.memory_bytes < kLeastSortMemory) {
    return absl::InvalidArgumentError(absl::StrCat("--sort_memory cannot be '", FLAGS_sort_memory,
                                                   "': it takes a size from 16MiB"));
  }
  return options;
}

absl::StatusOr<BuildReport> BuildWithProgress(const EdgeReaderFactory& open,
                                              const std::string& output, BuildOptions options) {
  Progress progress;
  options.progress = [&](const BuildProgress& news) {
    progress.ShowEdges(news.phase, news.done, news.total);
  };
  options.cancelled = [] { return Interrupted()->load(); };
  return BuildGraph(open, output, options);
}

std::string TimeText(absl::Duration time, uint64_t input_bytes) {
  const double seconds = absl::ToDoubleSeconds(time);
  std::string text = absl::StrFormat("%.1f s", seconds);
  if (input_bytes > 0 && seconds > 0) {
    absl::StrAppendFormat(&text, ", %.0f MB/s of input",
                          static_cast<double>(input_bytes) / seconds / 1e6);
  }
  return text;
}

}  // namespace

std::vector<absl::string_view> BuildFlags() {
  return {"symmetrize",        "reverse",   "remove_self_loops",
          "remove_duplicates", "overwrite", "sort_memory"};
}

absl::Status BuildAndReport(const EdgeReaderFactory& open, const std::string& output,
                            uint64_t input_bytes) {
  FARGRAPH_ASSIGN_OR_RETURN(BuildOptions options, ReadBuildOptions());
  const absl::Time start = absl::Now();
  FARGRAPH_ASSIGN_OR_RETURN(const BuildReport report,
                            BuildWithProgress(open, output, std::move(options)));
  std::string text = absl::StrCat(output, "\n");
  AppendLine("edges read", absl::StrCat(report.input_edges), text);
  absl::StrAppend(&text, GraphText(report.manifest, report.remapped));
  if (report.isolated_vertices > 0) {
    AppendLine("isolated", absl::StrCat(report.isolated_vertices, " vertices without an edge"),
               text);
  }
  AppendLine("time", TimeText(absl::Now() - start, input_bytes), text);
  return WriteWholeFile("-", text);
}

}  // namespace fargraph
