#include "compute_node/replay/block_planner.h"

#include <random>
#include <set>
#include <vector>

#include "common/units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {

void PrintTo(const BlockRequest& request, std::ostream* out) {
  *out << request.blocks << " blocks from " << request.first_block;
}

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

BlockPlanner Make(const BlockPlannerOptions& options) {
  auto planner = BlockPlanner::Create(options);
  EXPECT_TRUE(planner.ok()) << planner.status();
  return *std::move(planner);
}

std::vector<BlockRequest> TakeAll(BlockPlanner& planner) {
  std::vector<BlockRequest> requests;
  while (const auto request = planner.Next()) requests.push_back(*request);
  return requests;
}

/// The rules, block by block.
std::vector<BlockRequest> PlanNaively(const std::set<uint64_t>& blocks,
                                      const BlockPlannerOptions& options) {
  std::vector<BlockRequest> requests;
  for (const uint64_t block : blocks) {
    if (!requests.empty()) {
      BlockRequest& last = requests.back();
      const uint64_t gap = block - (last.first_block + last.blocks);
      const uint64_t merged = block + 1 - last.first_block;
      if (gap <= options.merge_gap && merged <= options.most_blocks) {
        last.blocks = merged;
        continue;
      }
    }
    requests.push_back({.first_block = block, .blocks = 1});
  }
  return requests;
}

TEST(BlockPlanner, PlansWhatTheRulesSay) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 400; ++trial) {
    const BlockPlannerOptions options = {.device_bytes = 1 + random() % (1 << (8 + trial % 16)),
                                         .block_bytes = 1 + random() % 600,
                                         .merge_gap = random() % (1 << trial % 9),
                                         .most_blocks = 1 + random() % (1 << trial % 11)};
    BlockPlanner planner = Make(options);
    for (int scan = 0; scan < 3; ++scan) {
      std::set<uint64_t> expected;
      for (uint64_t marks = random() % 100; marks > 0; --marks) {
        const uint64_t offset = random() % options.device_bytes;
        const uint64_t length =
            random() % (1 + std::min<uint64_t>(options.device_bytes - offset, 1 << random() % 16));
        planner.MarkBytes(offset, length);
        for (uint64_t block = offset / options.block_bytes;
             length > 0 && block * options.block_bytes < offset + length; ++block) {
          expected.insert(block);
        }
      }
      ASSERT_EQ(TakeAll(planner), PlanNaively(expected, options));
    }
  }
}

TEST(BlockPlanner, ThePapersExample) {  // Figure 5: lists of five vertices, blocks 1 to 16
  BlockPlanner planner = Make({.device_bytes = 17, .block_bytes = 1, .merge_gap = 4});
  for (const auto& [first, count] :
       std::vector<std::pair<uint64_t, uint64_t>>{{7, 1}, {15, 2}, {1, 2}, {13, 3}, {5, 1}}) {
    planner.MarkBlocks(first, count);
  }
  EXPECT_THAT(TakeAll(planner), ElementsAre(BlockRequest{1, 7}, BlockRequest{13, 4}));
}

TEST(BlockPlanner, WithoutAGapOnlyNeighboursMerge) {
  BlockPlanner planner = Make({.device_bytes = 10 * 512, .merge_gap = 0});
  for (const uint64_t block : {5, 0, 1, 3, 1}) planner.MarkBlocks(block, 1);
  EXPECT_THAT(TakeAll(planner),
              ElementsAre(BlockRequest{0, 2}, BlockRequest{3, 1}, BlockRequest{5, 1}));
}

TEST(BlockPlanner, ABoundOfOneReadsBlockByBlockAndNoGap) {
  BlockPlanner planner = Make({.device_bytes = 10 * 512, .merge_gap = 9, .most_blocks = 1});
  planner.MarkBlocks(8, 2);
  planner.MarkBlocks(2, 1);
  EXPECT_THAT(TakeAll(planner),
              ElementsAre(BlockRequest{2, 1}, BlockRequest{8, 1}, BlockRequest{9, 1}));
}

TEST(BlockPlanner, ADeviceOfOneBlockOrLess) {
  for (const uint64_t bytes : {1, 511, 512}) {
    BlockPlanner planner = Make({.device_bytes = bytes});
    EXPECT_EQ(planner.blocks(), 1u);
    planner.MarkBytes(0, bytes);
    planner.MarkBytes(bytes - 1, 1);
    EXPECT_THAT(TakeAll(planner), ElementsAre(BlockRequest{0, 1}));
  }
}

TEST(BlockPlanner, ThePartialLastBlockIsReadAsAWhole) {
  BlockPlanner planner = Make({.device_bytes = 3 * 512 + 1});
  planner.MarkBytes(3 * 512, 1);
  EXPECT_THAT(TakeAll(planner), ElementsAre(BlockRequest{3, 1}));
}

TEST(BlockPlanner, NothingMarkedIsNothingToRead) {
  BlockPlanner planner = Make({.device_bytes = kMiB});
  planner.MarkBytes(100, 0);
  planner.MarkBlocks(10, 0);
  EXPECT_THAT(TakeAll(planner), IsEmpty());
}

TEST(BlockPlanner, BlocksMayBeMarkedBetweenRequests) {
  BlockPlanner planner = Make({.device_bytes = kMiB, .merge_gap = 0});
  planner.MarkBlocks(10, 1);
  planner.MarkBlocks(20, 1);
  EXPECT_EQ(planner.Next(), (BlockRequest{10, 1}));
  planner.MarkBlocks(3, 2);
  EXPECT_THAT(TakeAll(planner), ElementsAre(BlockRequest{3, 2}, BlockRequest{20, 1}));
}

TEST(BlockPlanner, ABoundLargerThanTheDevice) {
  BlockPlanner planner =
      Make({.device_bytes = kMiB, .merge_gap = ~uint64_t{0}, .most_blocks = ~uint64_t{0}});
  planner.MarkBlocks(2047, 1);
  planner.MarkBlocks(1, 1);
  EXPECT_THAT(TakeAll(planner), ElementsAre(BlockRequest{1, 2047}));
}

TEST(BlockPlanner, RefusesSizesOfZero) {
  for (const BlockPlannerOptions& options : {BlockPlannerOptions{.device_bytes = 0},
                                             {.device_bytes = 1, .block_bytes = 0},
                                             {.device_bytes = 1, .most_blocks = 0}}) {
    EXPECT_EQ(BlockPlanner::Create(options).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(BlockPlanner, RefusesADeviceWhoseBitmapHasNoRoom) {
  const auto planner = BlockPlanner::Create({.device_bytes = ~uint64_t{0}});
  EXPECT_EQ(planner.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(planner.status().message(), ::testing::HasSubstr("; take larger blocks"));
}

}  // namespace
}  // namespace fargraph
