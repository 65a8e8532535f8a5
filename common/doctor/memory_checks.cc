#include "common/doctor/memory_checks.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/doctor/container.h"
#include "common/host/kernel_files.h"
#include "common/units.h"

namespace fargraph::doctor {
namespace {

/// More than the read buffers of a job take on any machine in use.
constexpr uint64_t kEnoughForBuffersBytes = kGiB;

std::string RaiseLockLimit(const HostView& host) {
  if (!ContainerName(host).empty()) return "start the container with --ulimit=memlock=-1";
  return "echo '* - memlock unlimited' > /etc/security/limits.d/fargraph.conf  # then log in "
         "again; "
         "for this shell: ulimit -l unlimited; for a service: LimitMEMLOCK=infinity";
}

}  // namespace

std::vector<Finding> CheckLockLimit(const HostView& host) {
  Finding finding = {.check = "memlock", .value = "unlimited", .mend = {}};
  if (!host.lock_limit_bytes.has_value()) return {finding};
  finding.value = FormatBytes(*host.lock_limit_bytes);
  const bool uses_rdma = host.rdma.ok() || host.needs_rdma;
  const uint64_t wanted = std::max(host.memory_bytes, kEnoughForBuffersBytes);
  const bool is_too_low = *host.lock_limit_bytes < wanted;
  if (!is_too_low && !(uses_rdma && host.lends)) return {finding};
  finding.level = is_too_low && uses_rdma ? Level::kProblem : Level::kWarning;
  if (is_too_low) {
    absl::StrAppend(&finding.value, ", and RDMA takes up to ", FormatBytes(wanted));
  } else {
    absl::StrAppend(&finding.value, ", and what is lent counts anew for each job that attaches");
  }
  finding.mend = RaiseLockLimit(host);
  return {finding};
}

std::vector<Finding> CheckSwap(const HostView& host) {
  std::istringstream table(ReadKernelFile(host.Path("/proc/swaps")));
  std::string line;
  std::getline(table, line);  // its head
  uint64_t total_bytes = 0;
  uint64_t used_bytes = 0;
  std::string name;
  std::string type;
  for (uint64_t kib = 0, used = 0;
       table >> name >> type >> kib >> used && std::getline(table, line);) {
    total_bytes += kib * kKiB;
    used_bytes += used * kKiB;
  }
  if (total_bytes == 0) return {{.check = "swap", .value = "none", .mend = {}}};
  return {{.check = "swap",
           .level = Level::kWarning,
           .value = absl::StrCat(FormatBytes(total_bytes), ", of which ", FormatBytes(used_bytes),
                                 " are in use: vertex state and buffers can be swapped out"),
           .mend = "swapoff --all"}};
}

}  // namespace fargraph::doctor
