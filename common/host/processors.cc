#include "common/host/processors.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "common/host/cgroups.h"
#include "common/host/kernel_files.h"

namespace fargraph {
namespace {

/// Both in microseconds.
struct Quota {
  int64_t time = 0;  ///< of all processors together, in each period
  int64_t period = 0;
};

std::optional<Quota> Positive(const Quota& quota) {
  return quota.time > 0 && quota.period > 0 ? std::optional(quota) : std::nullopt;
}

/// A line "QUOTA PERIOD", or "max PERIOD".
std::optional<Quota> ReadUnified(const std::string& folder) {
  const std::string line = ReadKernelLine(folder + "/cpu.max");
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
  Quota quota;
  const bool is_limited = words.size() == 2 && absl::SimpleAtoi(words[0], &quota.time) &&
                          absl::SimpleAtoi(words[1], &quota.period);
  return is_limited ? Positive(quota) : std::nullopt;
}

/// A file each; a quota of -1 is none.
std::optional<Quota> ReadVersion1(const std::string& folder) {
  return Positive({.time = ReadKernelNumber(folder + "/cpu.cfs_quota_us").value_or(-1),
                   .period = ReadKernelNumber(folder + "/cpu.cfs_period_us").value_or(-1)});
}

}  // namespace

std::optional<int> ProcessorsInQuota(const std::string& root) {
  const Cgroups cgroups = FindCgroups("cpu", root);
  std::optional<int> least;
  for (const std::string& folder : cgroups.folders) {
    const std::optional<Quota> quota =
        cgroups.unified ? ReadUnified(root + folder) : ReadVersion1(root + folder);
    if (!quota) continue;
    const auto processors = static_cast<int>((quota->time + quota->period - 1) / quota->period);
    least = std::min(least.value_or(processors), processors);
  }
  return least;
}

int UsableProcessors() {
  const int present = std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
  return std::min(present, ProcessorsInQuota(/*root=*/"").value_or(present));
}

}  // namespace fargraph
