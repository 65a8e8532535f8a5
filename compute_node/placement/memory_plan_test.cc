#include "compute_node/placement/memory_plan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr MemoryNeeds kNeeds = {.vertex_state = 100, .indexes = 200, .buffers = 50, .edges = 1000};

TEST(FarRatioWithin, KeepsAllLocalWhereItFits) {
  EXPECT_EQ(*FarRatioWithin(kNeeds, 1300, true), 0);
  EXPECT_EQ(*FarRatioWithin(kNeeds, 1300, false), 0);
}

TEST(FarRatioWithin, NeverExceedsTheBudget) {
  for (uint64_t budget = 350; budget < 1300; ++budget) {
    const double ratio = *FarRatioWithin(kNeeds, budget, true);
    EXPECT_LE(kNeeds.AllFar() + (1 - ratio) * kNeeds.edges, budget + 1e-6) << budget;
    EXPECT_LE(ratio, 1) << budget;
  }
}

TEST(FarRatioWithin, RefusesWithTheSmallestBudgetThatWouldDo) {
  const absl::Status status = FarRatioWithin(kNeeds, 349, true).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("--local_memory=350B"));
  EXPECT_EQ(FarRatioWithin(kNeeds, 1299, false).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(FarRatioWithin, NamesTheBudgetForAllLocalWhereBuffersWouldTakeMore) {
  constexpr MemoryNeeds kFewEdges = {
      .vertex_state = 100, .indexes = 200, .buffers = 50, .edges = 20};
  EXPECT_THAT(std::string(FarRatioWithin(kFewEdges, 319, true).status().message()),
              testing::HasSubstr("--local_memory=320B"));
  EXPECT_EQ(*FarRatioWithin(kFewEdges, 320, true), 0);
}

}  // namespace
}  // namespace fargraph
