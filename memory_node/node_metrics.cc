#include "memory_node/node_metrics.h"

#include <map>
#include <string>

namespace fargraph {
namespace {

/// How many leases there are for each transport.
Metric Clients(const MemoryNodeStats& stats) {
  std::map<std::string, double> by_transport;
  for (const ClientSummary& client : stats.clients) {
    by_transport[std::string(transport::KindName(client.transport))] += 1;
  }
  Metric metric = {"fargraph_memory_node_clients", "Leases, by the transport of their reads.",
                   Metric::Kind::kGauge};
  for (const transport::Kind kind :
       {transport::Kind::kVerbs, transport::Kind::kShm, transport::Kind::kTcp}) {
    const std::string name(transport::KindName(kind));
    metric.samples.push_back({.labels = {{"transport", name}}, .value = by_transport[name]});
  }
  return metric;
}

}  // namespace

std::vector<Metric> NodeMetrics(const MemoryNodeStats& stats) {
  const auto number = [](uint64_t count) { return static_cast<double>(count); };
  return {
      Gauge("fargraph_memory_node_capacity_bytes", "Memory to lend.", number(stats.capacity_bytes)),
      Gauge("fargraph_memory_node_allocated_bytes", "Of that, lent now.",
            number(stats.allocated_bytes)),
      Gauge("fargraph_memory_node_regions", "Regions of every kind.", number(stats.regions)),
      Clients(stats),
      Counter("fargraph_memory_node_moved_bytes_total",
              "Read and written by clients, by their own count as of their last renewal.",
              number(stats.bytes_moved_total)),
      Counter("fargraph_memory_node_leases_expired_total", "Leases that were not renewed in time.",
              number(stats.leases_expired_total)),
      Counter("fargraph_memory_node_allocations_refused_total",
              "Allocations for which there was no room.", number(stats.allocations_refused_total)),
      Gauge("fargraph_memory_node_uptime_seconds", "Since the start of the process.",
            number(stats.uptime_seconds)),
  };
}

}  // namespace fargraph
