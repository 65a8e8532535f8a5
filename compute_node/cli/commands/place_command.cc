#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/files/output_file.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/flags/memory_node_flags.h"
#include "compute_node/cli/interruption.h"
#include "compute_node/cli/reports/progress.h"
#include "graph/graph_files.h"
#include "graph/striping/place_graph.h"

namespace fargraph {
namespace {

std::string PlaceDetails() {
  return R"(
Stripes the lists of GRAPH, and their weights, over the directories of
--ssd_dirs, one on each SSD. Jobs with the same --ssd_dirs read them there, where
else each of them would first write a copy. The graph's own directory is needed
as before. The files begin with the graph's content id (fargraph info): remove
them when no job needs them any more.

What is there already is checked, and written again only where it is damaged.
)";
}

/// Where jobs read the graph's own files stripes would be a copy that nobody reads.
absl::Status CheckDirectories(const GraphFiles& files,
                              const std::vector<std::string>& directories) {
  if (directories.empty()) {
    return absl::InvalidArgumentError("--ssd_dirs is missing: say where to place the graph");
  }
  std::error_code error;
  const bool is_own = directories.size() == 1 &&
                      std::filesystem::equivalent(directories[0], files.path(), error) && !error;
  if (!is_own || files.manifest().compressed) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("Placing ", files.path(),
                   ": jobs read the graph's own files in its own directory; name other "
                   "directories, or more of them"));
}

std::string FormatReport(const PlaceReport& report, size_t directories, absl::Duration time) {
  return absl::StrFormat("%-14s%s over %d directories\n%-14s%s\n%-14s%.1f s\n", "placed",
                         FormatBytes(report.bytes), directories, "written",
                         FormatBytes(report.written_bytes), "time", absl::ToDoubleSeconds(time));
}

absl::Status Place(const std::vector<std::string>& arguments) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> directories, SsdDirectoriesFlag());
  FARGRAPH_ASSIGN_OR_RETURN(const GraphFiles files, GraphFiles::Open(arguments.at(0)));
  FARGRAPH_RETURN_IF_ERROR(CheckDirectories(files, directories));
  Progress progress;
  const absl::Time start = absl::Now();
  FARGRAPH_ASSIGN_OR_RETURN(const PlaceReport report,
                            PlaceGraph(files, {.directories = directories,
                                               .progress =
                                                   [&](uint64_t done, uint64_t total) {
                                                     progress.ShowBytes("placing", done, total);
                                                   },
                                               .cancelled = [] { return Interrupted()->load(); }}));
  const absl::Duration time = absl::Now() - start;
  progress.Clear();
  return WriteWholeFile("-", FormatReport(report, directories.size(), time));
}

}  // namespace

const Command& PlaceCommand() {
  static const auto& command =
      *new Command{.name = "place",
                   .arguments = {"GRAPH"},
                   .summary = "Stripes a graph over several SSDs, for jobs to read it there.",
                   .details = PlaceDetails,
                   .flags = {"ssd_dirs"},
                   .run = Place};
  return command;
}

}  // namespace fargraph
