#include "common/doctor/host_view.h"

#include "common/host/lock_limit.h"

namespace fargraph::doctor {

HostView HostView::OfThisProcess() {
  return {
      .root = "", .lock_limit_bytes = LockLimitBytes(), .rdma = transport::DescribeRdmaDevice()};
}

}  // namespace fargraph::doctor
