#include "common/doctor/check_host.h"

#include "common/doctor/container.h"
#include "common/doctor/huge_page_checks.h"
#include "common/doctor/memory_checks.h"
#include "common/doctor/numa_checks.h"
#include "common/doctor/rdma_checks.h"

namespace fargraph::doctor {

std::vector<Finding> CheckHost(const HostView& host) {
  std::vector<Finding> all;
  for (const auto check :
       {CheckContainer, CheckRdmaDevice, CheckRdmaPorts, CheckRdmaAccess, CheckRelaxedOrdering,
        CheckNicDistance, CheckLockLimit, CheckMemoryCgroup, CheckAvailableMemory, CheckSwap,
        CheckHugePages, CheckTransparentPages}) {
    for (Finding& finding : check(host)) all.push_back(std::move(finding));
  }
  return all;
}

}  // namespace fargraph::doctor
