#include "common/transport/verbs/device_choice.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport::verbs {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const DeviceCandidate iwarp_device = {.name = "cxgb0", .speaks_infiniband = false};
const DeviceCandidate inactive_device = {.name = "mlx5_0", .is_active = false};
const DeviceCandidate active_device = {.name = "mlx5_1"};

std::string ErrorOf(const std::vector<DeviceCandidate>& candidates, const char* wanted) {
  const absl::Status status = ChooseDevice(candidates, wanted).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  return std::string(status.message());
}

TEST(ChooseDeviceTest, TakesTheFirstActiveOneThatSpeaksInfiniBand) {
  EXPECT_EQ(ChooseDevice({iwarp_device, inactive_device, active_device}, nullptr).value(), 2u);
  EXPECT_EQ(ChooseDevice({active_device, iwarp_device}, nullptr).value(), 0u);
}

TEST(ChooseDeviceTest, TakesTheOneThatIsNamed) {
  EXPECT_EQ(ChooseDevice({active_device, iwarp_device, inactive_device}, "mlx5_0").value(), 2u);
  EXPECT_THAT(ErrorOf({active_device, iwarp_device}, "nonesuch0"),
              AllOf(HasSubstr("nonesuch0"), HasSubstr("it has mlx5_1, cxgb0")));
}

TEST(ChooseDeviceTest, SaysThatADeviceOfAnotherProtocolIsOfNoUse) {
  EXPECT_THAT(ErrorOf({active_device, iwarp_device}, "cxgb0"),
              AllOf(HasSubstr("cxgb0"), HasSubstr("FARGRAPH_RDMA_DEVICE"), HasSubstr("iWARP")));
  EXPECT_THAT(ErrorOf({iwarp_device}, nullptr), AllOf(HasSubstr("cxgb0"), HasSubstr("iWARP")));
}

TEST(ChooseDeviceTest, NamesTheDevicesWhosePortsAreDown) {
  EXPECT_THAT(
      ErrorOf({iwarp_device, inactive_device}, nullptr),
      AllOf(HasSubstr("(mlx5_0) is active"), HasSubstr("rdma link"), Not(HasSubstr("cxgb0"))));
}

}  // namespace
}  // namespace fargraph::transport::verbs
