#include "common/doctor/numa_checks.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/kernel_files.h"

namespace fargraph::doctor {
namespace {

constexpr char kNodes[] = "/sys/devices/system/node";

/// "0-3,8" as the numbers that it names.
std::set<int> ParseList(absl::string_view text) {
  std::set<int> numbers;
  for (const absl::string_view range : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::vector<absl::string_view> ends = absl::StrSplit(range, '-');
    int first = 0;
    int last = 0;
    if (!absl::SimpleAtoi(ends.front(), &first) || !absl::SimpleAtoi(ends.back(), &last)) continue;
    for (int number = first; number <= last; ++number) numbers.insert(number);
  }
  return numbers;
}

/// Of /proc/self/status.
std::set<int> AllowedProcessors(const HostView& host) {
  for (absl::string_view line :
       absl::StrSplit(ReadKernelFile(host.Path("/proc/self/status")), '\n')) {
    if (absl::ConsumePrefix(&line, "Cpus_allowed_list:")) {
      return ParseList(absl::StripAsciiWhitespace(line));
    }
  }
  return {};
}

/// The nodes with processors, and whether this process may run on one of them.
std::map<int, bool> Nodes(const HostView& host) {
  const std::set<int> allowed = AllowedProcessors(host);
  std::map<int, bool> nodes;
  for (const std::string& name : ListKernelDirectory(host.Path(kNodes))) {
    absl::string_view text = name;
    int number = 0;
    if (!absl::ConsumePrefix(&text, "node") || !absl::SimpleAtoi(text, &number)) continue;
    const std::set<int> processors =
        ParseList(ReadKernelLine(host.Path(absl::StrCat(kNodes, "/", name, "/cpulist"))));
    if (processors.empty()) continue;
    nodes[number] = std::any_of(processors.begin(), processors.end(),
                                [&](int processor) { return allowed.count(processor) > 0; });
  }
  return nodes;
}

/// The node of a device or of what it hangs on; nullopt where the host does not tell.
std::optional<int> NodeOfDevice(const std::string& directory) {
  std::error_code error;
  std::filesystem::path path = std::filesystem::canonical(directory, error);
  for (; path.has_relative_path(); path = path.parent_path()) {
    const std::optional<int64_t> node = ReadKernelNumber(path / "numa_node");
    if (node.has_value()) return *node < 0 ? std::nullopt : std::optional<int>(*node);
  }
  return std::nullopt;
}

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
  const std::map<int, bool> nodes = Nodes(host);
  const std::optional<int> of_device = NodeOfDevice(host.Path(directory));
  if (nodes.size() < 2 || !of_device.has_value()) {
    finding.value = absl::StrCat(
        name, nodes.size() < 2 ? ": the host has one NUMA node" : ": its NUMA node is not known");
    return finding;
  }
  std::vector<std::string> farther;
  for (const auto& [node, is_allowed] : nodes) {
    if (!is_allowed || node == *of_device) continue;
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
