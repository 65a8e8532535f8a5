#include "compute_node/tiers/near_ssds.h"

#include <omp.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "common/host/block_device.h"
#include "common/host/numa.h"

namespace fargraph {
namespace {

using Nodes = std::map<int, std::set<int>>;

Nodes UsableNodes(const std::string& root) {
  Nodes nodes = NumaNodes(root);
  for (auto node = nodes.begin(); node != nodes.end();) {
    node = node->second.empty() ? nodes.erase(node) : std::next(node);
  }
  return nodes;
}

std::optional<int> NodeOf(dev_t device, const Nodes& nodes, const std::string& root) {
  const std::optional<int> node =
      NumaNodeOfDevice(absl::StrCat(root, BlockDeviceDirectory(device)));
  return node.has_value() && nodes.count(*node) > 0 ? node : std::nullopt;
}

void StayOn(const std::set<int>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) {
    if (processor < CPU_SETSIZE) CPU_SET(processor, &set);
  }
  sched_setaffinity(0, sizeof(set), &set);  // a thread that may not runs where it runs
}

}  // namespace

std::vector<int> ChooseNodesNear(const std::vector<dev_t>& devices, int threads,
                                 const std::string& root) {
  const Nodes nodes = UsableNodes(root);
  if (nodes.size() < 2) return {};
  std::vector<int> near;
  for (const dev_t device : devices) {
    if (const auto node = NodeOf(device, nodes, root)) near.push_back(*node);
  }
  if (near.empty()) return {};

  std::map<int, int> left;  // processors without a thread
  for (const auto& [node, processors] : nodes) left[node] = static_cast<int>(processors.size());
  std::vector<int> chosen(threads);
  for (size_t thread = 0; thread < chosen.size(); ++thread) {
    int node = near[thread % near.size()];
    if (left[node] <= 0) {
      node = std::max_element(left.begin(), left.end(), [](const auto& a, const auto& b) {
               return a.second < b.second;
             })->first;
    }
    --left[node];
    chosen[thread] = node;
  }
  return chosen;
}

void StayNear(const std::vector<std::string>& directories) {
  if (omp_get_proc_bind() != omp_proc_bind_false) return;
  std::vector<dev_t> devices;
  for (const std::string& directory : directories) {
    struct stat info {};
    if (stat(directory.c_str(), &info) == 0) devices.push_back(info.st_dev);
  }
  const std::vector<int> chosen = ChooseNodesNear(devices, omp_get_max_threads(), /*root=*/"");
  if (chosen.empty()) return;
  const Nodes nodes = UsableNodes(/*root=*/"");
#pragma omp parallel num_threads(static_cast <int>(chosen.size()))
  StayOn(nodes.at(chosen[omp_get_thread_num()]));
}

}  // namespace fargraph
