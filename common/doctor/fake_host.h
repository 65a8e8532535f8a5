#ifndef FARGRAPH_COMMON_DOCTOR_FAKE_HOST_H_
#define FARGRAPH_COMMON_DOCTOR_FAKE_HOST_H_

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/doctor/host_view.h"
#include "gtest/gtest.h"

namespace fargraph::doctor {

/// For tests: a host whose files of the kernel are in a folder of the test's own, and whose
/// RDMA device is a NIC without fault unless the test changes it.
class FakeHost : public testing::Test {
 protected:
  ~FakeHost() override { std::filesystem::remove_all(view_.root); }

  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = view_.root + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  void Link(const std::string& path, const std::string& target) {
    const std::filesystem::path link = view_.root + path;
    std::filesystem::create_directories(link.parent_path());
    std::filesystem::create_directory_symlink(view_.root + target, link);
  }

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

  HostView view_ = {
      .root = absl::StrCat(testing::TempDir(), "/doctor_", getpid(), "_",
                           testing::UnitTest::GetInstance()->current_test_info()->name()),
      .lock_limit_bytes = std::nullopt,
      .rdma = GoodNic()};
};

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMMON_DOCTOR_FAKE_HOST_H_
