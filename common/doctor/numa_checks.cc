#include "common/doctor/numa_checks.h"

#include <map>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/host/kernel_files.h"
#include "common/host/numa.h"

namespace fargraph::doctor {
namespace {

constexpr char kNodes[] = "/sys/devices/system/node";

/// "21" from the line of distances to all nodes, in their order.
std::string Distance(const HostView& host, int from, int to) {
  const std::string line =
      ReadKernelLine(host.Path(absl::StrCat(kNodes, "/node", from, "/distance")));
  const std::vector<std::string> distances = absl::StrSplit(line, ' ', absl::SkipEmpty());
  return static_cast<size_t>(to) < distances.size() ? distances[to] : "unknown";
}

}  // namespace

Finding CheckNumaDistance(const HostView& host, const std::string& name,
                          const std::string& directory) {
  Finding finding = {.check = "NUMA distance", .value = {}, .mend = {}};
  const std::map<int, std::set<int>> nodes = NumaNodes(host.root);
  const std::optional<int> of_device = NumaNodeOfDevice(host.Path(directory));
  if (nodes.size() < 2 || !of_device.has_value()) {
    finding.value = absl::StrCat(
        name, nodes.size() < 2 ? ": the host has one NUMA node" : ": its NUMA node is not known");
    return finding;
  }
  std::vector<std::string> farther;
  for (const auto& [node, allowed] : nodes) {
    if (allowed.empty() || node == *of_device) continue;
    farther.push_back(absl::StrCat(node, " at distance ", Distance(host, node, *of_device)));
  }
  finding.value = absl::StrCat(name, " is on node ", *of_device);
  if (farther.empty()) return finding;
  finding.level = Level::kWarning;
  absl::StrAppend(&finding.value, "; this process may run on node ", absl::StrJoin(farther, ", "));
  finding.mend = absl::StrCat("numactl --cpunodebind=", *of_device, " --preferred=", *of_device,
                              " COMMAND  # where its processors are enough");
  return finding;
}

std::vector<Finding> CheckNicDistance(const HostView& host) {
  if (!host.rdma.ok()) return {};
  return {CheckNumaDistance(host, "NIC " + host.rdma->device,
                            absl::StrCat("/sys/class/infiniband/", host.rdma->device, "/device"))};
}

}  // namespace fargraph::doctor
