#include "common/doctor/huge_page_checks.h"

#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "common/huge_pages.h"
#include "common/kernel_files.h"
#include "common/units.h"

namespace fargraph::doctor {
namespace {

/// What is suggested where nobody has said how much this node needs.
constexpr uint64_t kUsualBytes = 2 * kGiB;

/// The reserved pages of one size.
struct Pool {
  uint64_t reserved = 0;
  uint64_t free = 0;
  std::vector<std::string> nodes;  ///< "node 0: 3 of 4 free"
};

uint64_t ReadCount(const std::string& path) {
  return static_cast<uint64_t>(ReadKernelNumber(path).value_or(0));
}

/// Adds the pools in a directory of hugepages-NkB.
void AddPools(const std::string& directory, const std::string& node,
              std::map<uint64_t, Pool>& pools) {
  for (const std::string& name : ListKernelDirectory(directory)) {
    absl::string_view size = name;
    uint64_t kib = 0;
    if (!absl::ConsumePrefix(&size, "hugepages-") || !absl::ConsumeSuffix(&size, "kB") ||
        !absl::SimpleAtoi(size, &kib)) {
      continue;
    }
    const uint64_t reserved = ReadCount(absl::StrCat(directory, "/", name, "/nr_hugepages"));
    const uint64_t free = ReadCount(absl::StrCat(directory, "/", name, "/free_hugepages"));
    Pool& pool = pools[kib * kKiB];
    pool.reserved += reserved;
    pool.free += free;
    pool.nodes.push_back(absl::StrCat(node, free, " of ", reserved, " free"));
  }
}

/// By page size in bytes.
std::map<uint64_t, Pool> ReadPools(const HostView& host) {
  std::map<uint64_t, Pool> pools;
  const std::string nodes = host.Path("/sys/devices/system/node");
  for (const std::string& node : ListKernelDirectory(nodes)) {
    absl::string_view number = node;
    if (!absl::ConsumePrefix(&number, "node")) continue;
    AddPools(absl::StrCat(nodes, "/", node, "/hugepages"), absl::StrCat("node ", number, ": "),
             pools);
  }
  if (pools.empty()) AddPools(host.Path("/sys/kernel/mm/hugepages"), "", pools);
  return pools;
}

}  // namespace

std::vector<Finding> CheckHugePages(const HostView& host) {
  std::vector<Finding> findings;
  const std::map<uint64_t, Pool> pools = ReadPools(host);
  uint64_t free_bytes = 0;
  for (const auto& [page_bytes, pool] : pools) free_bytes += page_bytes * pool.free;
  for (const auto& [page_bytes, pool] : pools) {
    Finding finding = {.check = absl::StrCat("pages of ", FormatBytes(page_bytes)),
                       .value = absl::StrJoin(pool.nodes, ", "),
                       .mend = {}};
    const uint64_t wanted = host.memory_bytes > 0 ? host.memory_bytes : kUsualBytes;
    const bool enough =
        host.memory_is_held || (host.memory_bytes == 0 && free_bytes > 0) || free_bytes >= wanted;
    if (page_bytes == kHugePageBytes && !enough) {
      const uint64_t more = (wanted - free_bytes + page_bytes - 1) / page_bytes;
      finding.level = Level::kWarning;
      finding.mend = absl::StrCat("sysctl vm.nr_hugepages=", pool.reserved + more, "  # for ",
                                  FormatBytes(wanted), "; to keep it, in /etc/sysctl.d");
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
