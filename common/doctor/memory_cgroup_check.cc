#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/doctor/memory_checks.h"
#include "common/kernel_files.h"
#include "common/units.h"

namespace fargraph::doctor {
namespace {

/// Where one version of cgroups keeps memory limits.
struct Hierarchy {
  std::string mount;
  std::string group;  ///< of this process, from the mount on
  std::string file;
  std::string no_limit;  ///< what to write to lift it
};

struct Limit {
  uint64_t bytes = 0;
  std::string file;
};

/// The hierarchy that holds this process' memory limit, from the lines "ID:CONTROLLERS:GROUP" of
/// /proc/self/cgroup: version 1 where that has the controller, else version 2.
Hierarchy FindHierarchy(const HostView& host) {
  Hierarchy unified = {"/sys/fs/cgroup", "", "memory.max", "max"};
  for (const absl::string_view line :
       absl::StrSplit(ReadKernelFile(host.Path("/proc/self/cgroup")), '\n')) {
    const std::vector<std::string> fields = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (fields.size() < 3) continue;
    const std::vector<absl::string_view> controllers = absl::StrSplit(fields[1], ',');
    if (std::count(controllers.begin(), controllers.end(), "memory") > 0) {
      return {"/sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes", "-1"};
    }
    if (fields[1].empty()) unified.group = fields[2];
  }
  return unified;
}

/// The least limit on the way from the group up to the mount. In a container the group's path can
/// be one that only the host sees; the mount then is the container's own group.
std::optional<Limit> LeastLimit(const HostView& host, const Hierarchy& hierarchy) {
  std::optional<Limit> least;
  std::string group = hierarchy.group == "/" ? "" : hierarchy.group;
  while (true) {
    const std::string file = absl::StrCat(hierarchy.mount, group, "/", hierarchy.file);
    const std::optional<int64_t> bytes = ReadKernelNumber(host.Path(file));
    if (bytes.has_value() && (!least || static_cast<uint64_t>(*bytes) < least->bytes)) {
      least = {static_cast<uint64_t>(*bytes), file};
    }
    if (group.empty()) return least;
    group.resize(std::min(group.size(), group.rfind('/')));
  }
}

uint64_t HostMemoryBytes(const HostView& host) {
  for (const absl::string_view line :
       absl::StrSplit(ReadKernelFile(host.Path("/proc/meminfo")), '\n')) {
    const std::vector<absl::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    uint64_t kib = 0;
    if (words.size() >= 2 && words[0] == "MemTotal:" && absl::SimpleAtoi(words[1], &kib)) {
      return kib * kKiB;
    }
  }
  return UINT64_MAX;
}

}  // namespace

std::vector<Finding> CheckMemoryCgroup(const HostView& host) {
  Finding finding = {.check = "cgroup memory", .value = "no limit", .mend = {}};
  const Hierarchy hierarchy = FindHierarchy(host);
  const std::optional<Limit> limit = LeastLimit(host, hierarchy);
  if (!limit.has_value() || limit->bytes >= HostMemoryBytes(host)) return {finding};
  finding.value = absl::StrCat("at most ", FormatBytes(limit->bytes), " (", limit->file, ")");
  if (host.memory_bytes > 0 && host.memory_bytes <= limit->bytes) return {finding};
  finding.level = host.memory_bytes > 0 ? Level::kProblem : Level::kWarning;
  if (host.memory_bytes > 0) {
    absl::StrAppend(&finding.value, ", less than ", FormatBytes(host.memory_bytes));
  }
  finding.mend =
      absl::StrCat("echo ", hierarchy.no_limit, " > ", limit->file,
                   host.memory_bytes > 0 ? "" : "  # or keep jobs within it: --local_memory");
  return {finding};
}

}  // namespace fargraph::doctor
