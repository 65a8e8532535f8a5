#include "common/host/numa.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/host/kernel_files.h"

namespace fargraph {
namespace {

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
std::set<int> AllowedProcessors(const std::string& root) {
  for (absl::string_view line : absl::StrSplit(ReadKernelFile(root + "/proc/self/status"), '\n')) {
    if (absl::ConsumePrefix(&line, "Cpus_allowed_list:")) {
      return ParseList(absl::StripAsciiWhitespace(line));
    }
  }
  return {};
}

}  // namespace

std::map<int, std::set<int>> NumaNodes(const std::string& root) {
  const std::string directory = root + "/sys/devices/system/node";
  const std::set<int> allowed = AllowedProcessors(root);
  std::map<int, std::set<int>> nodes;
  for (const std::string& name : ListKernelDirectory(directory)) {
    absl::string_view text = name;
    int number = 0;
    if (!absl::ConsumePrefix(&text, "node") || !absl::SimpleAtoi(text, &number)) continue;
    const std::set<int> processors =
        ParseList(ReadKernelLine(absl::StrCat(directory, "/", name, "/cpulist")));
    if (processors.empty()) continue;
    std::set<int>& of_node = nodes[number];
    std::set_intersection(processors.begin(), processors.end(), allowed.begin(), allowed.end(),
                          std::inserter(of_node, of_node.end()));
  }
  return nodes;
}

std::optional<int> NumaNodeOfDevice(const std::string& directory) {
  std::error_code error;
  std::filesystem::path path = std::filesystem::canonical(directory, error);
  for (; path.has_relative_path(); path = path.parent_path()) {
    const std::optional<int64_t> node = ReadKernelNumber(path / "numa_node");
    if (node.has_value()) return *node < 0 ? std::nullopt : std::optional<int>(*node);
  }
  return std::nullopt;
}

}  // namespace fargraph
