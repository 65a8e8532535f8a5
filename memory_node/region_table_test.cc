#include "memory_node/region_table.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RegionTableTest : public ::testing::Test {
 protected:
  std::string Add(const std::string& name, uint64_t bytes = 100) {
    return regions_.Add(name, bytes, {next_offset_ += 4096, 4096}).id;
  }
  std::vector<std::string> Names(absl::string_view prefix = "") {
    std::vector<std::string> names;
    for (const auto& summary : regions_.List(prefix)) names.push_back(summary.region.name);
    return names;
  }
  bool Dies(const absl::StatusOr<std::optional<Region>>& outcome) {
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return outcome->has_value();
  }

  RegionTable regions_{"node"};
  uint64_t next_offset_ = 0;
};

TEST_F(RegionTableTest, AnUnsealedRegionIsInvisibleAndDiesWithItsHolder) {
  const std::string id = Add("edges");
  EXPECT_THAT(Names(), IsEmpty());
  EXPECT_EQ(regions_.Attach("edges").status().code(), absl::StatusCode::kNotFound);
  const auto dead = regions_.Release(id);
  ASSERT_TRUE(dead);
  EXPECT_EQ(dead->extent, (Extent{4096, 4096}));
  EXPECT_EQ(regions_.size(), 0u);
}

TEST_F(RegionTableTest, ASealedRegionLivesAsLongAsAnyHolds) {
  const std::string id = Add("edges");
  EXPECT_EQ(regions_.Seal(id, /*keep=*/false)->id, id);
  EXPECT_EQ(regions_.Attach("edges")->id, id);
  EXPECT_FALSE(regions_.Release(id));
  EXPECT_THAT(Names(), ElementsAre("edges"));
  EXPECT_TRUE(regions_.Release(id));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(RegionTableTest, AKeptRegionLivesUntilItIsForgotten) {
  const std::string id = Add("edges");
  ASSERT_TRUE(regions_.Seal(id, /*keep=*/true).ok());
  EXPECT_FALSE(regions_.Release(id));
  EXPECT_THAT(Names(), ElementsAre("edges"));
  EXPECT_TRUE(Dies(regions_.Forget(id)));
  EXPECT_EQ(regions_.size(), 0u);
}

TEST_F(RegionTableTest, AForgottenRegionDiesWithItsLastHolder) {
  const std::string id = Add("edges");
  ASSERT_TRUE(regions_.Seal(id, /*keep=*/true).ok());
  EXPECT_FALSE(Dies(regions_.Forget(id)));
  EXPECT_EQ(regions_.Attach("edges").status().code(), absl::StatusCode::kNotFound);
  const std::string successor = Add("edges");
  ASSERT_TRUE(regions_.Seal(successor, /*keep=*/true).ok());
  EXPECT_FALSE(Dies(regions_.Forget(id)));  // again: the name is the successor's now
  EXPECT_TRUE(regions_.Release(id));
  EXPECT_EQ(regions_.Attach("edges")->id, successor);
}

TEST_F(RegionTableTest, TheFirstToSealANameWins) {
  const std::string first = Add("edges");
  const std::string second = Add("edges");
  EXPECT_EQ(regions_.Seal(second, /*keep=*/false)->id, second);
  EXPECT_EQ(regions_.Seal(first, /*keep=*/true)->id, second);
  EXPECT_TRUE(regions_.Release(first));
  const auto list = regions_.List("");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].holders, 2u);
  EXPECT_TRUE(list[0].keep);  // the other's wish counts as well
}

TEST_F(RegionTableTest, SealingTwiceChangesNothing) {
  const std::string id = Add("edges");
  ASSERT_TRUE(regions_.Seal(id, false).ok());
  ASSERT_TRUE(regions_.Seal(id, false).ok());
  EXPECT_EQ(regions_.List("")[0].holders, 1u);
}

TEST_F(RegionTableTest, WhoeverHoldsASealedRegionCanHaveItKept) {
  const std::string id = Add("edges");
  ASSERT_TRUE(regions_.Seal(id, /*keep=*/false).ok());
  ASSERT_TRUE(regions_.Seal(id, /*keep=*/true).ok());
  ASSERT_TRUE(regions_.Seal(id, /*keep=*/false).ok());
  EXPECT_FALSE(regions_.Release(id));
  EXPECT_TRUE(Dies(regions_.Forget(id)));
}

TEST_F(RegionTableTest, AForgottenRegionIsNotKeptAnyMore) {
  const std::string id = Add("edges");
  ASSERT_TRUE(regions_.Seal(id, /*keep=*/false).ok());
  EXPECT_FALSE(Dies(regions_.Forget(id)));
  ASSERT_TRUE(regions_.Seal(id, /*keep=*/true).ok());
  EXPECT_TRUE(regions_.Release(id));
}

TEST_F(RegionTableTest, ANameStandsForOneSize) {
  const std::string first = Add("edges", 100);
  const std::string second = Add("edges", 200);
  ASSERT_TRUE(regions_.Seal(first, false).ok());
  EXPECT_EQ(regions_.Seal(second, true).status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(regions_.List("")[0].holders, 1u);
  EXPECT_FALSE(regions_.List("")[0].keep);
}

TEST_F(RegionTableTest, ForgettingTellsPastFromNeverBeen) {
  const std::string id = Add("edges");
  EXPECT_EQ(regions_.Forget(id).status().code(), absl::StatusCode::kPermissionDenied);
  ASSERT_TRUE(regions_.Release(id));
  EXPECT_TRUE(regions_.Forget(id).ok());
  for (const char* stranger : {"", "node", "node-", "node-99", "other-1", "node-1x"}) {
    EXPECT_EQ(regions_.Forget(stranger).status().code(), absl::StatusCode::kNotFound) << stranger;
  }
}

TEST_F(RegionTableTest, ListsByPrefixInOrder) {
  for (const char* name : {"g2/edges", "g1/weights", "g1/edges", "g"}) {
    ASSERT_TRUE(regions_.Seal(Add(name), true).ok());
  }
  EXPECT_THAT(Names("g1/"), ElementsAre("g1/edges", "g1/weights"));
  EXPECT_THAT(Names(), ElementsAre("g", "g1/edges", "g1/weights", "g2/edges"));
  EXPECT_THAT(Names("x"), IsEmpty());
}

TEST_F(RegionTableTest, ANameHasItsLimits) {
  EXPECT_EQ(RegionTable::CheckName("").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(RegionTable::CheckName(std::string(1025, 'x')).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(RegionTable::CheckName(std::string(1024, 'x')).ok());
}

}  // namespace
}  // namespace fargraph
