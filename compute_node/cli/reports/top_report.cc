#include "compute_node/cli/reports/top_report.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "common/units.h"

namespace fargraph {
namespace {

std::string Rate(double bytes_per_second) {
  return absl::StrCat(FormatBytes(static_cast<uint64_t>(bytes_per_second)), "/s");
}

double TotalRate(const MemoryNodeStats& stats) {
  double total = 0;
  for (const ClientSummary& client : stats.clients) total += client.bytes_per_second;
  return total;
}

std::string NodeLine(const std::string& address, const MemoryNodeStats& stats) {
  const double percent = 100.0 * static_cast<double>(stats.allocated_bytes) /
                         static_cast<double>(std::max<uint64_t>(stats.capacity_bytes, 1));
  return absl::StrFormat("%-24s %10s %10s %4.0f%% %8d %8d %12s %10s\n", address,
                         FormatBytes(stats.capacity_bytes), FormatBytes(stats.allocated_bytes),
                         percent, stats.regions, stats.leases, Rate(TotalRate(stats)),
                         absl::FormatDuration(absl::Seconds(stats.uptime_seconds)));
}

std::string ClientLine(const ClientSummary& client) {
  return absl::StrFormat("  %-44s %38s  over %s\n", client.holder, Rate(client.bytes_per_second),
                         transport::KindName(client.transport));
}

}  // namespace

std::string TopText(const std::vector<NodeState>& nodes) {
  std::string text =
      absl::StrFormat("%-24s %10s %10s %5s %8s %8s %12s %10s\n", "MEMORY NODE", "CAPACITY",
                      "IN USE", "", "REGIONS", "CLIENTS", "BYTES/S", "UP");
  for (const NodeState& node : nodes) {
    if (!node.stats.ok()) {
      absl::StrAppendFormat(&text, "%-24s %s\n", node.address, node.stats.status().message());
      continue;
    }
    absl::StrAppend(&text, NodeLine(node.address, *node.stats));
    for (const ClientSummary& client : node.stats->clients) {
      absl::StrAppend(&text, ClientLine(client));
    }
  }
  return text;
}

}  // namespace fargraph
