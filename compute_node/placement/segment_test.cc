#include "compute_node/placement/segment.h"

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(SensitivityOf, FollowsThePapersFourGroups) {
  EXPECT_EQ(SensitivityOf({.access = Access::kStreamed, .written = false}), Sensitivity::kStreamed);
  EXPECT_EQ(SensitivityOf({.access = Access::kSequential, .written = false}),
            Sensitivity::kStreamed);
  EXPECT_EQ(SensitivityOf({.access = Access::kIndexed, .written = false}), Sensitivity::kIndexed);
  EXPECT_EQ(SensitivityOf({.access = Access::kRandom, .written = false}), Sensitivity::kIndexed);
  EXPECT_EQ(SensitivityOf({.access = Access::kSequential, .written = true}),
            Sensitivity::kSequentialWrite);
  EXPECT_EQ(SensitivityOf({.access = Access::kStreamed, .written = true}),
            Sensitivity::kSequentialWrite);
  EXPECT_EQ(SensitivityOf({.access = Access::kIndexed, .written = true}),
            Sensitivity::kRandomWrite);
  EXPECT_EQ(SensitivityOf({.access = Access::kRandom, .written = true}), Sensitivity::kRandomWrite);
}

}  // namespace
}  // namespace fargraph
