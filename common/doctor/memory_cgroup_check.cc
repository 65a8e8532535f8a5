#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/doctor/memory_checks.h"
#include "common/host/cgroups.h"
#include "common/host/kernel_files.h"
#include "common/units.h"

namespace fargraph::doctor {
namespace {

struct Limit {
  uint64_t bytes = 0;
  std::string file;
};

/// The least limit on the way from the process' group up to the mount.
std::optional<Limit> LeastLimit(const HostView& host, const Cgroups& cgroups) {
  std::optional<Limit> least;
  for (const std::string& folder : cgroups.folders) {
    const std::string file =
        absl::StrCat(folder, "/", cgroups.unified ? "memory.max" : "memory.limit_in_bytes");
    const std::optional<int64_t> bytes = ReadKernelNumber(host.Path(file));
    if (bytes.has_value() && (!least || static_cast<uint64_t>(*bytes) < least->bytes)) {
      least = {static_cast<uint64_t>(*bytes), file};
    }
  }
  return least;
}

uint64_t HostMemoryBytes(const HostView& host) {
  const std::optional<uint64_t> kib = ReadKernelField(host.Path("/proc/meminfo"), "MemTotal");
  return kib ? *kib * kKiB : UINT64_MAX;
}

}  // namespace

std::vector<Finding> CheckMemoryCgroup(const HostView& host) {
  Finding finding = {.check = "cgroup memory", .value = "no limit", .mend = {}};
  const Cgroups cgroups = FindCgroups("memory", host.root);
  const std::optional<Limit> limit = LeastLimit(host, cgroups);
  if (!limit.has_value() || limit->bytes >= HostMemoryBytes(host)) return {finding};
  finding.value = absl::StrCat("at most ", FormatBytes(limit->bytes), " (", limit->file, ")");
  if (host.memory_bytes > 0 && host.memory_bytes <= limit->bytes) return {finding};
  finding.level = host.memory_bytes > 0 ? Level::kProblem : Level::kWarning;
  if (host.memory_bytes > 0) {
    absl::StrAppend(&finding.value, ", less than ", FormatBytes(host.memory_bytes));
  }
  finding.mend =
      absl::StrCat("echo ", cgroups.unified ? "max" : "-1", " > ", limit->file,
                   host.memory_bytes > 0 ? "" : "  # or keep jobs within it: --local_memory");
  return {finding};
}

}  // namespace fargraph::doctor
