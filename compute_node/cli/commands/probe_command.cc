#include <omp.h>

#include <memory>

#include "absl/time/clock.h"
#include "common/files/output_file.h"
#include "common/status_macros.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/flags/memory_node_flags.h"
#include "compute_node/cli/flags/output_flags.h"
#include "compute_node/cli/job_threads.h"
#include "compute_node/cli/reports/link_report.h"
#include "compute_node/cli/reports/write_json.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/link_tuner.h"
#include "compute_node/tiers/ssd_array.h"
#include "gflags/gflags.h"

DECLARE_string(json);
DEFINE_bool(anew, false, "Measure also where an earlier measurement is at hand, and replace it");
DEFINE_string(picture, "", "The file to draw throughput over read size to, as SVG");

namespace fargraph {
namespace {

std::string ProbeDetails() {
  return R"(
Reads of many sizes, few and many at a time, show how a job should read: in what
chunks, how many of them in flight. Jobs do the same when they first use a link
and remember it in ~/.cache/fargraph (or below $XDG_CACHE_HOME) for as long as
the memory nodes run, or else for a week.
)";
}

absl::StatusOr<std::unique_ptr<FarTier>> OpenFarTier() {
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> ssd_directories, SsdDirectoriesFlag());
  FarMemoryOptions options;
  FARGRAPH_ASSIGN_OR_RETURN(options.memory_nodes, MemoryNodesFlag());
  if (!ssd_directories.empty() && !options.memory_nodes.empty()) {
    return absl::InvalidArgumentError(
        "--memory_nodes and --ssd_dirs are two links, and probe measures one; name one of them at "
        "a time");
  }
  if (!ssd_directories.empty()) {
    return SsdArray::Open(ssd_directories, SsdBlocks::kOfDevice, omp_get_max_threads());
  }
  if (options.memory_nodes.empty()) {
    return absl::InvalidArgumentError(
        "--memory_nodes or --ssd_dirs is missing: say where the link leads to");
  }
  FARGRAPH_ASSIGN_OR_RETURN(options.transport, TransportFlag());
  FARGRAPH_ASSIGN_OR_RETURN(options.control.token, TokenFlag());
  return FarMemory::Connect(options);
}

absl::StatusOr<LinkReport> Probe(FarTier& tier) {
  const LinkCache cache(LinkCache::DefaultPath());
  const uint32_t threads = omp_get_max_threads();
  FARGRAPH_ASSIGN_OR_RETURN(CachedSweep found, FLAGS_anew ? TuneLinkAnew(tier, threads, cache)
                                                          : TuneLink(tier, threads, cache));
  LinkReport report = {.transport = tier.transport_name(),
                       .sweep = std::move(found.sweep),
                       .measured = found.measured};
  for (const FarNode& node : tier.nodes()) report.endpoints.push_back(node.address);
  return report;
}

absl::Status Probe(const std::vector<std::string>&) {
  FARGRAPH_RETURN_IF_ERROR(SetUpThreads());
  FARGRAPH_RETURN_IF_ERROR(CheckApart({{"--json", FLAGS_json}, {"--picture", FLAGS_picture}}));
  FARGRAPH_ASSIGN_OR_RETURN(const std::unique_ptr<FarTier> tier, OpenFarTier());
  FARGRAPH_ASSIGN_OR_RETURN(const LinkReport report, Probe(*tier));
  FARGRAPH_RETURN_IF_ERROR(WriteJson(FLAGS_json, LinkReportJson(report)));
  if (!FLAGS_picture.empty()) {
    FARGRAPH_RETURN_IF_ERROR(WriteWholeFile(FLAGS_picture, LinkReportPicture(report)));
  }
  for (const std::string& path : {FLAGS_json, FLAGS_picture}) {
    if (OutputFile::IsStandardOutput(path)) return absl::OkStatus();
  }
  return WriteWholeFile("-", LinkReportText(report, absl::Now()));
}

}  // namespace

const Command& ProbeCommand() {
  static const auto& command = *new Command{
      .name = "probe",
      .arguments = {},
      .summary = "Measures the link to memory nodes or SSDs, and how jobs should read over it.",
      .details = ProbeDetails,
      .flags = {"memory_nodes", "ssd_dirs", "transport", "token_file", "threads", "anew", "json",
                "picture"},
      .file_flags_to_stdout = {"json"},
      .run = Probe};
  return command;
}

}  // namespace fargraph
