#ifndef FARGRAPH_COMMON_DOCTOR_FAKE_HOST_H_
#define FARGRAPH_COMMON_DOCTOR_FAKE_HOST_H_

#include "common/doctor/host_view.h"
#include "common/host/fake_kernel_files.h"

namespace fargraph::doctor {

/// For tests: a host with such files, whose RDMA device is a NIC without fault unless the test
/// changes it.
class FakeHost : public FakeKernelFiles {
 protected:
  static transport::RdmaDescription GoodNic() {
    return {.device = "mlx5_0",
            .port = 1,
            .ethernet = true,
            .mtu_bytes = 4096,
            .max_mtu_bytes = 4096,
            .reads_issued = 16,
            .reads_answered = 16,
            .gids = {{.index = 3,
                      .type = transport::RdmaGid::Type::kRoceV2,
                      .address = "10.0.0.1",
                      .network_interface = "eth2"}}};
  }

  HostView view_ = {.root = root_, .lock_limit_bytes = std::nullopt, .rdma = GoodNic()};
};

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMMON_DOCTOR_FAKE_HOST_H_
