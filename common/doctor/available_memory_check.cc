#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/doctor/huge_page_checks.h"
#include "common/doctor/memory_checks.h"
#include "common/host/available_memory.h"
#include "common/units.h"

namespace fargraph::doctor {
namespace {

/// How much of what this node is to use or lend is not on reserved huge pages.
uint64_t OrdinaryBytes(const HostView& host) {
  const uint64_t on_huge_pages = std::min(host.memory_bytes, HugePageBytes(host));
  if (host.lends) return on_huge_pages == host.memory_bytes ? 0 : host.memory_bytes;
  return host.memory_bytes - on_huge_pages;
}

}  // namespace

std::vector<Finding> CheckAvailableMemory(const HostView& host) {
  const AvailableMemory left =
      ReadAvailableMemory(host.lends ? Swap::kDoesNot : Swap::kCounts, host.root);
  Finding finding = {
      .check = "memory",
      .value = absl::StrCat(FormatBytes(left.bytes), " left (", left.limited_by, ")"),
      .mend = {}};
  if (host.memory_is_held || OrdinaryBytes(host) <= left.bytes) return {finding};
  finding.level = host.lends ? Level::kProblem : Level::kWarning;
  absl::StrAppend(&finding.value, ", less than ", FormatBytes(OrdinaryBytes(host)));
  finding.mend =
      absl::StrCat("free memory, or give a smaller ", host.lends ? "--capacity" : "--local_memory");
  return {finding};
}

}  // namespace fargraph::doctor
