#include "compute_node/replay/request_list.h"

#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;

std::vector<BlockRequest> PlanByBitmap(BlockPlanner& planner, absl::Span<const ByteRange> asked) {
  for (const ByteRange& range : asked) planner.MarkBytes(range.offset, range.length);
  std::vector<BlockRequest> requests;
  while (const auto request = planner.Next()) requests.push_back(*request);
  return requests;
}

TEST(RequestList, PlansWhatTheBitmapPlans) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const BlockPlannerOptions options = {.device_bytes = 100000 + random() % 100000,
                                         .block_bytes = 1 + random() % 600,
                                         .merge_gap = random() % (1 << trial % 9),
                                         .most_blocks = 1 + random() % (1 << trial % 11)};
    auto planner = BlockPlanner::Create(options);
    ASSERT_TRUE(planner.ok()) << planner.status();
    RequestList list(options);
    for (int window = 0; window < 3; ++window) {
      std::vector<ByteRange> asked;
      for (uint64_t count = random() % 100; count > 0; --count) {
        const uint64_t offset = random() % options.device_bytes;
        const uint64_t room = std::min<uint64_t>(options.device_bytes - offset, 1 << trial % 14);
        asked.push_back({offset, 1 + random() % room});
      }
      std::vector<BlockRequest> requests;
      list.Plan(asked, requests);
      ASSERT_EQ(requests, PlanByBitmap(*planner, asked));
    }
  }
}

TEST(RequestList, WhatIsPlannedApartIsNotMerged) {
  RequestList list({.block_bytes = 512, .merge_gap = 16, .most_blocks = 4});
  std::vector<BlockRequest> requests;
  for (const ByteRange& asked : {ByteRange{512, 512}, {512, 512}, {1024, 512 * 5}}) {
    list.Plan({&asked, 1}, requests);
  }
  EXPECT_THAT(requests, ElementsAre(BlockRequest{1, 1}, BlockRequest{1, 1}, BlockRequest{2, 4},
                                    BlockRequest{6, 1}));
}

}  // namespace
}  // namespace fargraph
