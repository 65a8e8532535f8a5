#include "common/host/available_memory.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/host/cgroups.h"
#include "common/host/kernel_files.h"
#include "common/units.h"

namespace fargraph {
namespace {

constexpr char kHostFile[] = "/proc/meminfo";

uint64_t HostField(const std::string& root, absl::string_view name) {
  return ReadKernelField(root + kHostFile, name).value_or(0) * kKiB;
}

/// Of a group, and of those below it.
uint64_t CacheBytes(const std::string& folder, bool unified) {
  const std::string of_all = unified ? "" : "total_";
  uint64_t bytes = 0;
  for (const absl::string_view kind : {"inactive_file", "active_file"})
    bytes += ReadKernelField(folder + "/memory.stat", absl::StrCat(of_all, kind)).value_or(0);
  return bytes;
}

uint64_t NumberIn(const std::string& path, uint64_t otherwise) {
  const std::optional<int64_t> number = ReadKernelNumber(path);
  return number && *number >= 0 ? static_cast<uint64_t>(*number) : otherwise;
}

uint64_t Left(uint64_t limit, uint64_t used) { return limit - std::min(limit, used); }

/// Swap that the processes of a group may use.
uint64_t SwapLeft(const std::string& folder, bool unified, uint64_t on_host) {
  if (!unified) return NumberIn(folder + "/memory.swappiness", 1) == 0 ? 0 : on_host;
  const uint64_t most = NumberIn(folder + "/memory.swap.max", UINT64_MAX);
  return std::min(on_host, Left(most, NumberIn(folder + "/memory.swap.current", 0)));
}

}  // namespace

AvailableMemory ReadAvailableMemory(Swap swap, const std::string& root) {
  const uint64_t swap_bytes = swap == Swap::kCounts ? HostField(root, "SwapFree") : 0;
  AvailableMemory least;
  if (const uint64_t available = HostField(root, "MemAvailable"); available > 0)
    least = {.bytes = available + swap_bytes, .limited_by = kHostFile};

  const Cgroups cgroups = FindCgroups("memory", root);
  const bool unified = cgroups.unified;
  for (const std::string& path : cgroups.folders) {
    const std::string folder = root + path;
    const std::string limit_file = unified ? "/memory.max" : "/memory.limit_in_bytes";
    const uint64_t limit = NumberIn(folder + limit_file, UINT64_MAX);
    const uint64_t used =
        NumberIn(folder + (unified ? "/memory.current" : "/memory.usage_in_bytes"), 0);
    const uint64_t in_memory = Left(limit, Left(used, CacheBytes(folder, unified)));
    if (in_memory >= least.bytes) continue;
    const uint64_t left = in_memory + SwapLeft(folder, unified, swap_bytes);
    if (left < least.bytes) least = {.bytes = left, .limited_by = path + limit_file};
  }
  return least;
}

}  // namespace fargraph
