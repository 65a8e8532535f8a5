#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/control/memory_node_client.h"
#include "common/files/output_file.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/flags/memory_node_flags.h"
#include "gflags/gflags.h"

DEFINE_string(free, "", "Free the kept region of this name on every one of the memory nodes");
DEFINE_bool(free_all, false, "Free every kept region");

namespace fargraph {
namespace {

std::string RegionsDetails() {
  return R"(
A job with --keep leaves the far edges of its graph on the memory nodes, where
later jobs find them. This command lists such regions and frees them. Jobs that
use a region at that moment keep it until they end.
)";
}

bool IsToBeFreed(const RegionSummary& region) {
  return region.keep && (FLAGS_free_all || region.name == FLAGS_free);
}

absl::StatusOr<std::string> ListRegions(MemoryNodeClient& node) {
  FARGRAPH_ASSIGN_OR_RETURN(const MemoryNodeStats stats, node.Stats());
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<RegionSummary> regions, node.List(""));
  std::string text =
      absl::StrFormat("%s: %s of %s in use\n", node.address(), FormatBytes(stats.allocated_bytes),
                      FormatBytes(stats.capacity_bytes));
  for (const RegionSummary& region : regions) {
    absl::StrAppendFormat(&text, "  %10s  %-4s  %3d jobs  %s\n", FormatBytes(region.bytes),
                          region.keep ? "kept" : "", region.holders, region.name);
  }
  return text;
}

/// Returns how many it freed.
absl::StatusOr<uint64_t> FreeRegions(MemoryNodeClient& node) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<RegionSummary> regions, node.List(FLAGS_free));
  uint64_t freed = 0;
  for (const RegionSummary& region : regions) {
    if (!IsToBeFreed(region)) continue;
    FARGRAPH_RETURN_IF_ERROR(node.Free(region));
    ++freed;
  }
  return freed;
}

absl::Status List(const std::vector<std::unique_ptr<MemoryNodeClient>>& nodes) {
  std::string text;
  for (const auto& node : nodes) {
    FARGRAPH_ASSIGN_OR_RETURN(const std::string lines, ListRegions(*node));
    absl::StrAppend(&text, lines);
  }
  return WriteWholeFile("-", text);
}

absl::Status Free(const std::vector<std::unique_ptr<MemoryNodeClient>>& nodes) {
  std::string text;
  uint64_t total = 0;
  for (const auto& node : nodes) {
    FARGRAPH_ASSIGN_OR_RETURN(const uint64_t freed, FreeRegions(*node));
    absl::StrAppend(&text, node->address(), ": freed ", freed, " regions\n");
    total += freed;
  }
  if (total == 0 && !FLAGS_free_all) {
    return absl::NotFoundError(
        absl::StrCat("Freeing the region ", FLAGS_free,
                     ": no memory node keeps one of that name; fargraph regions lists those kept"));
  }
  return WriteWholeFile("-", text);
}

absl::Status Regions(const std::vector<std::string>&) {
  if (FLAGS_free_all && !FLAGS_free.empty()) {
    return absl::InvalidArgumentError("--free and --free_all: set one of them");
  }
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> addresses, MemoryNodesFlag());
  if (addresses.empty()) {
    return absl::InvalidArgumentError("--memory_nodes is missing: say whose regions to list");
  }
  FARGRAPH_ASSIGN_OR_RETURN(const std::string token, TokenFlag());
  std::vector<std::unique_ptr<MemoryNodeClient>> nodes;
  for (const std::string& address : addresses) {
    FARGRAPH_ASSIGN_OR_RETURN(nodes.emplace_back(),
                              MemoryNodeClient::Connect(address, {.token = token}));
  }
  return FLAGS_free_all || !FLAGS_free.empty() ? Free(nodes) : List(nodes);
}

}  // namespace

const Command& RegionsCommand() {
  static const auto& command =
      *new Command{.name = "regions",
                   .arguments = {},
                   .summary = "Lists or frees the regions that memory nodes keep.",
                   .details = RegionsDetails,
                   .flags = {"memory_nodes", "token_file", "free", "free_all"},
                   .run = Regions};
  return command;
}

}  // namespace fargraph
