#include "compute_node/job/check_room.h"

#include "common/units.h"
#include "gmock/gmock.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

TEST(CheckRoom, RefusesWhatIsSureToBeKilled) {
  const AvailableMemory available = {.bytes = 100 * kMiB, .limited_by = "/some/limit"};
  EXPECT_TRUE(CheckRoom(100 * kMiB, available).ok());
  EXPECT_TRUE(CheckRoom(105 * kMiB, available).ok()) << "a plan may be wrong by so much";
  const absl::Status refused = CheckRoom(106 * kMiB, available);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(refused.message(),
              HasSubstr("takes 106 MiB of memory, of which 100 MiB are left (/some/limit)"));
}

TEST(CheckRoom, RefusesNothingWhereNobodyTells) {
  EXPECT_TRUE(CheckRoom(uint64_t{1} << 50, AvailableMemory()).ok());
}

}  // namespace
}  // namespace fargraph
