#include "compute_node/pipeline/fetch_run.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(FetchRun, MergesOnlyBelowTheBreakEvenGap) {
  std::vector<FetchRun> runs;
  AddList(3, {100, 110}, /*break_even_gap=*/20, runs);
  AddList(4, {110, 115}, 20, runs);
  AddList(7, {134, 140}, 20, runs);  // a gap of 19
  AddList(9, {160, 161}, 20, runs);  // a gap of 20: not below
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].first_vertex, 3u);
  EXPECT_EQ(runs[0].end_vertex, 8u);
  EXPECT_EQ(runs[0].range.begin, 100u);
  EXPECT_EQ(runs[0].range.end, 140u);
  EXPECT_EQ(runs[0].useful, 21u);
  EXPECT_EQ(runs[1].first_vertex, 9u);
  EXPECT_EQ(runs[1].range.begin, 160u);
  EXPECT_EQ(runs[1].useful, 1u);
}

TEST(FetchRun, MergesWhatLiesSideBySideWhateverTheGap) {
  std::vector<FetchRun> runs;
  AddList(1, {0, 5}, /*break_even_gap=*/0, runs);
  AddList(2, {5, 6}, 0, runs);
  AddList(3, {7, 8}, 0, runs);
  EXPECT_EQ(runs.size(), 2u);
}

TEST(FetchRun, CoversWhatWasAskedForAndLeavesOutWideGaps) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const uint64_t gap = random() % 100;
    std::vector<FetchRun> runs;
    std::vector<ElementRange> lists;
    uint64_t useful = 0;
    uint64_t end = random() % 1000;
    for (VertexId v = 0; v < 200; ++v) {
      const uint64_t begin = end + (random() % 2) * (random() % 200);
      end = begin + 1 + random() % 50;
      lists.push_back({begin, end});
      useful += end - begin;
      AddList(v, lists.back(), gap, runs);
    }
    VertexId next = 0;
    for (const FetchRun& run : runs) {
      ASSERT_EQ(run.first_vertex, next);
      ASSERT_EQ(run.range.begin, lists[run.first_vertex].begin);
      ASSERT_EQ(run.range.end, lists[run.end_vertex - 1].end);
      if (next > 0) {
        ASSERT_GE(run.range.begin - lists[next - 1].end, gap);
      }
      uint64_t gaps = run.range.end - run.range.begin - run.useful;
      for (VertexId v = run.first_vertex + 1; v < run.end_vertex; ++v) {
        const uint64_t between = lists[v].begin - lists[v - 1].end;
        ASSERT_TRUE(between == 0 || between < gap);
        gaps -= between;
      }
      ASSERT_EQ(gaps, 0u);
      useful -= run.useful;
      next = run.end_vertex;
    }
    EXPECT_EQ(next, 200u);
    EXPECT_EQ(useful, 0u);
  }
}

}  // namespace
}  // namespace fargraph
