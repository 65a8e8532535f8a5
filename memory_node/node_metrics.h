#ifndef FARGRAPH_MEMORY_NODE_NODE_METRICS_H_
#define FARGRAPH_MEMORY_NODE_NODE_METRICS_H_

#include <vector>

#include "common/control/memory_node_client.h"
#include "common/metrics/metric.h"

namespace fargraph {

/// A node's statistics as Prometheus shows them; docs/metrics.md says what each is.
std::vector<Metric> NodeMetrics(const MemoryNodeStats& stats);

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_NODE_METRICS_H_
