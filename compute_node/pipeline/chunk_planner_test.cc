#include "compute_node/pipeline/chunk_planner.h"

#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "compute_node/testing/fake_tier.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr ReadGaps kOnMemoryNodes = {.break_even = 32, .narrow = 8};
constexpr ReadGaps kOnSsds = {.break_even = 400, .narrow = 0};

/// Far lists of these lengths; `weight_bytes` of each edge, 0 without weights.
EdgeLists FarLists(const std::vector<EdgeOffset>& lengths, uint64_t chunk_bytes,
                   uint64_t weight_bytes = 0, uint64_t far_address = 0) {
  VertexArray<EdgeOffset> index(lengths.size() + 1, 0);
  std::partial_sum(lengths.begin(), lengths.end(), index.begin() + 1);
  ChunkTable chunks(index, sizeof(VertexId), chunk_bytes);
  const std::vector<ChunkPlace> places(chunks.size(), ChunkPlace{.far_address = far_address});
  return EdgeLists(
      std::move(index), std::move(chunks), {.element_bytes = sizeof(VertexId), .places = places},
      weight_bytes == 0 ? PlacedArray{}
                        : PlacedArray{.element_bytes = weight_bytes, .places = places});
}

class ChunkPlannerTest : public testing::Test {
 protected:
  /// The runs of the only chunk of `lists`, as pairs of their first and end element.
  std::vector<std::pair<uint64_t, uint64_t>> RangesOf(const EdgeLists& lists,
                                                      std::vector<VertexId> active) {
    EXPECT_EQ(lists.chunks().size(), 1u);
    const VertexSubset subset(lists.vertices(), std::move(active));
    planner_.BeginScan(lists, &subset, /*skip=*/0);
    planner_.Plan(0, runs_);
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    for (const FetchRun& run : runs_) ranges.emplace_back(run.range.begin, run.range.end);
    return ranges;
  }

  FakeTier tier_{{}, /*seed=*/1};
  ChunkPlanner planner_{tier_, {.on_memory_nodes = kOnMemoryNodes, .on_ssds = kOnSsds}};
  std::vector<FetchRun> runs_;
};

using Ranges = std::vector<std::pair<uint64_t, uint64_t>>;

TEST_F(ChunkPlannerTest, AScanOverAllListsFetchesChunksWhole) {
  const EdgeLists lists = FarLists({3, 4, 5, 6}, /*chunk_bytes=*/32);
  ASSERT_EQ(lists.chunks().size(), 3u);
  planner_.BeginScan(lists, /*active=*/nullptr, /*skip=*/0);
  EXPECT_TRUE(planner_.wants_all());
  planner_.Plan(0, runs_);
  planner_.Plan(1, runs_);
  ASSERT_EQ(runs_.size(), 1u);
  const auto& [first_vertex, end_vertex, range, useful] = runs_[0];
  EXPECT_EQ(std::tuple(first_vertex, end_vertex), std::tuple(2u, 3u));
  EXPECT_EQ(std::tuple(range.begin, range.end), std::tuple(7u, 12u));
  EXPECT_EQ(useful, 5u);
  EXPECT_EQ(planner_.pattern().whole_bytes, 12 * sizeof(VertexId));
}

TEST_F(ChunkPlannerTest, OnlyGapsThatPayAreRead) {
  const EdgeLists lists = FarLists({2, 7, 3, 8, 4}, /*chunk_bytes=*/1024);  // 28 and 32 bytes
  EXPECT_EQ(RangesOf(lists, {0, 2, 4}), (Ranges{{0, 12}, {20, 24}}));
  EXPECT_FALSE(planner_.wants_all());
  EXPECT_EQ(runs_[0].useful, 5u);
  EXPECT_EQ(planner_.pattern().run_bytes, 9 * sizeof(VertexId));
}

TEST_F(ChunkPlannerTest, WhereGapsAreNarrowOnTheMeanAWideOneIsReadToo) {
  const EdgeLists lists = FarLists({1, 9, 1, 0, 1, 0, 1, 0, 1, 0, 1}, /*chunk_bytes=*/1024);
  EXPECT_EQ(RangesOf(lists, {0, 2, 4, 6, 8, 10}), (Ranges{{0, 15}}));       // 36 bytes in 5 gaps
  EXPECT_EQ(RangesOf(lists, {0, 2, 4, 6, 8}), (Ranges{{0, 1}, {10, 14}}));  // in 4
}

TEST_F(ChunkPlannerTest, NothingIsFetchedOfWhatNobodyAsksFor) {
  const EdgeLists lists = FarLists({2, 0, 3}, /*chunk_bytes=*/1024);
  EXPECT_EQ(RangesOf(lists, {1}), Ranges());
  EXPECT_EQ(planner_.pattern().chunks, 0u);
}

TEST_F(ChunkPlannerTest, ARunCostsARequestOfEachArrayByWhereItLies) {
  const auto gap = [&](uint64_t weight_bytes, uint64_t address) {
    const EdgeLists lists = FarLists({2, 3}, /*chunk_bytes=*/1024, weight_bytes, address);
    planner_.BeginScan(lists, /*active=*/nullptr, /*skip=*/0);
    return planner_.BreakEvenGap(0);
  };
  EXPECT_EQ(gap(/*weight_bytes=*/0, 0), 32u / 4);
  EXPECT_EQ(gap(/*weight_bytes=*/1, 0), 2 * 32u / 5);
  EXPECT_EQ(gap(/*weight_bytes=*/0, kSsdSpace), 400u / 4);
}

TEST_F(ChunkPlannerTest, WithinABlockNoGapIsTooWide) {
  const FakeTier blocks({}, /*seed=*/1, ~uint64_t{0}, /*one_by_one=*/false, /*block_bytes=*/512);
  ChunkPlanner planner(blocks, {.on_memory_nodes = kOnMemoryNodes, .on_ssds = kOnSsds});
  const EdgeLists lists = FarLists({2, 3}, /*chunk_bytes=*/1024, /*weight_bytes=*/1);
  planner.BeginScan(lists, /*active=*/nullptr, /*skip=*/0);
  EXPECT_EQ(planner.BreakEvenGap(0), 512u);  // a block of weights
}

}  // namespace
}  // namespace fargraph
