#include "common/doctor/huge_page_checks.h"

#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "common/host/available_memory.h"
#include "common/host/huge_pages.h"
#include "common/host/kernel_files.h"
#include "common/memory/mapped_memory.h"
#include "common/units.h"

namespace fargraph::doctor {
namespace {

/// What is suggested where nobody has said how much this node needs.
constexpr uint64_t kUsualBytes = 2 * kGiB;

constexpr char kHugePages[] = "/sys/kernel/mm/hugepages";

/// The reserved pages of one size.
struct Pool {
  uint64_t reserved = 0;
  uint64_t free = 0;
  uint64_t promised = 0;           ///< of those, to whoever has mapped and not yet touched them
  std::vector<std::string> nodes;  ///< "node 0: 3 of 4 free"

  uint64_t available() const { return free - std::min(free, promised); }
};

/// By page size in bytes.
using Pools = std::map<uint64_t, Pool>;

/// Adds the pools in a directory of hugepages-NkB.
void AddPools(const std::string& directory, const std::string& node, Pools& pools) {
  for (const std::string& name : ListKernelDirectory(directory)) {
    absl::string_view size = name;
    uint64_t kib = 0;
    if (!absl::ConsumePrefix(&size, "hugepages-") || !absl::ConsumeSuffix(&size, "kB") ||
        !absl::SimpleAtoi(size, &kib)) {
      continue;
    }
    const uint64_t reserved = ReadKernelCount(absl::StrCat(directory, "/", name, "/nr_hugepages"));
    const uint64_t free = ReadKernelCount(absl::StrCat(directory, "/", name, "/free_hugepages"));
    Pool& pool = pools[kib * kKiB];
    pool.reserved += reserved;
    pool.free += free;
    pool.nodes.push_back(absl::StrCat(node, free, " of ", reserved, " free"));
  }
}

Pools ReadPools(const HostView& host) {
  Pools pools;
  const std::string nodes = host.Path("/sys/devices/system/node");
  for (const std::string& node : ListKernelDirectory(nodes)) {
    absl::string_view number = node;
    if (!absl::ConsumePrefix(&number, "node")) continue;
    AddPools(absl::StrCat(nodes, "/", node, "/hugepages"), absl::StrCat("node ", number, ": "),
             pools);
  }
  if (pools.empty()) AddPools(host.Path(kHugePages), "", pools);
  for (auto& [page_bytes, pool] : pools) {  // promises are not made by node
    pool.promised = ReadKernelCount(
        host.Path(absl::StrCat(kHugePages, "/hugepages-", page_bytes / kKiB, "kB/resv_hugepages")));
  }
  return pools;
}

uint64_t AvailableBytes(const HostView& host, const Pools& pools) {
  uint64_t all = 0;
  uint64_t most = 0;
  for (const auto& [page_bytes, pool] : pools) {
    const uint64_t bytes = page_bytes * pool.available();
    all += bytes;
    if (page_bytes <= kHugePageBytes || MappedMemory::UsesPages(page_bytes, host.memory_bytes)) {
      most = std::max(most, bytes);
    }
  }
  return host.lends ? most : all;
}

std::string PoolText(const Pool& pool) {
  const std::string nodes = absl::StrJoin(pool.nodes, ", ");
  if (pool.promised == 0) return nodes;
  return absl::StrCat(nodes, "; ", pool.promised, " of those free are promised");
}

/// The command that reserves so many more, where memory for them is left.
std::string ReserveMore(const HostView& host, const Pool& pool, uint64_t more, uint64_t wanted) {
  const uint64_t more_bytes = more * kHugePageBytes;
  const uint64_t left_bytes = ReadAvailableMemory(Swap::kDoesNot, host.root).bytes;
  if (more_bytes > left_bytes) {
    return absl::StrCat("free memory, or use less: pages for ", FormatBytes(more_bytes),
                        " more do not fit in what is left, ", FormatBytes(left_bytes));
  }
  const HugePages pages = {.reserved = pool.reserved, .available = pool.available()};
  return absl::StrCat(ReserveHugePages(pages, pages.available + more), "  # for ",
                      FormatBytes(wanted), "; to keep it, in /etc/tmpfiles.d");
}

}  // namespace

uint64_t HugePageBytes(const HostView& host) { return AvailableBytes(host, ReadPools(host)); }

std::vector<Finding> CheckHugePages(const HostView& host) {
  std::vector<Finding> findings;
  const Pools pools = ReadPools(host);
  const uint64_t available_bytes = AvailableBytes(host, pools);
  const uint64_t wanted = host.memory_bytes > 0 ? host.memory_bytes : kUsualBytes;
  const bool enough = host.memory_is_held || (host.memory_bytes == 0 && available_bytes > 0) ||
                      available_bytes >= wanted;
  for (const auto& [page_bytes, pool] : pools) {
    Finding finding = {.check = absl::StrCat("pages of ", FormatBytes(page_bytes)),
                       .value = PoolText(pool),
                       .mend = {}};
    if (page_bytes == kHugePageBytes && !enough) {
      const uint64_t has_bytes = host.lends ? page_bytes * pool.available() : available_bytes;
      const uint64_t more = (wanted - has_bytes + page_bytes - 1) / page_bytes;
      finding.level = Level::kWarning;
      finding.mend = ReserveMore(host, pool, more, wanted);
    }
    findings.push_back(finding);
  }
  if (pools.count(kHugePageBytes) == 0) {
    findings.push_back({.check = "pages of 2 MiB",
                        .level = Level::kWarning,
                        .value = "this kernel has none",
                        .mend = "start a kernel that was built with CONFIG_HUGETLBFS"});
  }
  return findings;
}

std::vector<Finding> CheckTransparentPages(const HostView& host) {
  Finding finding = {
      .check = "transparent pages", .level = Level::kWarning, .value = {}, .mend = {}};
  switch (ReadHugePages(host.root).transparent) {
    case HugePages::Transparent::kOn:
      finding.level = Level::kOk;
      finding.value = "on";
      break;
    case HugePages::Transparent::kOff:
      finding.value = "off, so vertex state is on pages of 4 KiB";
      finding.mend = kTurnTransparentPagesOn;
      break;
    case HugePages::Transparent::kOffForThis:
      finding.value = "off for this process (prctl PR_SET_THP_DISABLE)";
      finding.mend = "start it from another shell or service";
      break;
    case HugePages::Transparent::kNone:
      finding.value = "not in this kernel";
      finding.mend = "start a kernel that was built with CONFIG_TRANSPARENT_HUGEPAGE";
      break;
  }
  return {finding};
}

}  // namespace fargraph::doctor
