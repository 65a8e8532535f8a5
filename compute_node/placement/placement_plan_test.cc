#include "compute_node/placement/placement_plan.h"

#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

std::vector<DataSegment> Segments(uint64_t out_edges, uint64_t in_edges) {
  return {{.name = "rank", .bytes = 100},
          {.name = "heads",
           .bytes = 60,
           .behaviour = kIndexedReadOnly,
           .residence = Residence::kLocalOrFar},
          {.name = "index", .bytes = 200, .behaviour = kIndexedReadOnly},
          {.name = "out.edges",
           .bytes = out_edges,
           .behaviour = kStreamedReadOnly,
           .residence = Residence::kLocalOrFar},
          {.name = "in.edges",
           .bytes = in_edges,
           .behaviour = kStreamedReadOnly,
           .residence = Residence::kLocalOrFar},
          {.name = "rings", .bytes = 50, .residence = Residence::kLocalWithFar}};
}

TEST(PlanAtFarRatio, WithNothingFarThereAreNoReadBuffers) {
  const PlacementPlan plan = PlanAtFarRatio(Segments(400, 540), 0);
  EXPECT_EQ(plan.local_bytes, 1300u);
  EXPECT_EQ(plan.far_bytes, 0u);
  EXPECT_EQ(plan.TransferableBytes(), 1000u);
}

TEST(PlanAtFarRatio, SegmentsOfAGroupGoInEqualShares) {
  const PlacementPlan plan = PlanAtFarRatio(Segments(400, 540), 0.47);
  EXPECT_DOUBLE_EQ(plan.FarRatio("out.edges"), 0.5);
  EXPECT_DOUBLE_EQ(plan.FarRatio("in.edges"), 0.5);
  EXPECT_EQ(plan.FarRatio("heads"), 0);
  EXPECT_EQ(plan.far_bytes, 470u);
  EXPECT_EQ(plan.local_bytes, 1350u - 470);
}

TEST(PlanAtFarRatio, AGroupGoesWhenThoseBeforeItAreGone) {
  const PlacementPlan plan = PlanAtFarRatio(Segments(400, 540), 0.97);
  EXPECT_EQ(plan.FarRatio("out.edges"), 1);
  EXPECT_EQ(plan.FarRatio("in.edges"), 1);
  EXPECT_NEAR(plan.FarRatio("heads"), 0.5, 1e-9);
  EXPECT_EQ(plan.FarRatio("rank"), 0);
  EXPECT_EQ(plan.FarRatio("no such segment"), 0);
}

PlacementPlan AllFar(const RoomOnMemoryNodes& room) {
  PlacementPlan plan = PlanAtFarRatio(Segments(400, 600), 1);
  DivideFarBytes(room, plan);
  return plan;
}

TEST(DivideFarBytes, MemoryNodesTakeListsInTheirOrderUntilTheyAreFull) {
  struct Case {
    uint64_t free_bytes;
    double out_edges;
    double in_edges;
  };
  for (const auto& [free_bytes, out_edges, in_edges] :
       {Case{0, 0, 0}, Case{100, 0.25, 0}, Case{400, 1, 0}, Case{700, 1, 0.5}, Case{5000, 1, 1}}) {
    const PlacementPlan plan = AllFar({.free_bytes = free_bytes});
    EXPECT_DOUBLE_EQ(plan.RatiosOf("out.edges").on_memory_nodes, out_edges);
    EXPECT_DOUBLE_EQ(plan.RatiosOf("in.edges").on_memory_nodes, in_edges);
    EXPECT_EQ(plan.far_bytes, 1060u);
    EXPECT_EQ(plan.SsdBytes(), 1060u - std::min<uint64_t>(free_bytes, 1060)) << free_bytes;
  }
}

TEST(DivideFarBytes, SharesAreThousandthsAndLeaveSlackAndRoomForState) {
  PlacementPlan plan = AllFar({.free_bytes = 150, .slack_bytes = 20});
  EXPECT_DOUBLE_EQ(plan.RatiosOf("out.edges").on_memory_nodes, 0.325);
  EXPECT_DOUBLE_EQ(plan.RatiosOf("in.edges").on_memory_nodes, 0);
  plan = AllFar({.free_bytes = 133});
  EXPECT_DOUBLE_EQ(plan.RatiosOf("out.edges").on_memory_nodes, 0.332);

  const DataSegment rank = {.name = "rank",
                            .bytes = 100,
                            .behaviour = kSequentialReadWrite,
                            .residence = Residence::kFarIfShort};
  const DataSegment edges = {.name = "edges",
                             .bytes = 400,
                             .behaviour = kStreamedReadOnly,
                             .residence = Residence::kLocalOrFar};
  plan = PlanStateFar({rank, edges}, /*budget=*/0);
  DivideFarBytes({.free_bytes = 300}, plan);
  EXPECT_DOUBLE_EQ(plan.RatiosOf("edges").on_memory_nodes, 0.5);
  EXPECT_DOUBLE_EQ(plan.RatiosOf("rank").on_memory_nodes, 1);
  DivideFarBytes({.free_bytes = 300, .slack_bytes = 20}, plan);
  EXPECT_DOUBLE_EQ(plan.RatiosOf("edges").on_memory_nodes, 0.4);
}

TEST(PlacementPlan, WhatFewRunsTouchIsSpareWhileItIsLocal) {
  const DataSegment levels = {.name = "levels",
                              .bytes = 100,
                              .behaviour = kSequentialReadWrite,
                              .residence = Residence::kFarIfShort,
                              .buffer_bytes = 10,
                              .spare_bytes = 75};
  const DataSegment rings = {
      .name = "rings", .bytes = 50, .residence = Residence::kLocalWithFar, .spare_bytes = 20};
  const PlacementPlan local = PlanAllLocal({levels, rings}, /*budget=*/0);
  EXPECT_EQ(local.local_bytes, 100u);
  EXPECT_EQ(local.SpareBytes(), 75u);
  EXPECT_EQ(PlanStateFar({levels}, /*budget=*/99).SpareBytes(), 0u);
  EXPECT_EQ(SmallestBudget({levels}, /*have_far_memory=*/false), 100u);
}

TEST(DivideFarBytes, WhatIsThereAlreadyTakesNoRoom) {
  const PlacementPlan plan = AllFar({.free_bytes = 300, .kept = {{"out.edges", 0.75}}});
  EXPECT_DOUBLE_EQ(plan.RatiosOf("out.edges").on_memory_nodes, 0.75);
  EXPECT_DOUBLE_EQ(plan.RatiosOf("in.edges").on_memory_nodes, 0.5);
}

/// 1000 bytes of edges and 180 of copies.
std::vector<DataSegment> SegmentsWithCopies() {
  const auto copy = [](std::string name, uint64_t bytes) {
    return DataSegment{.name = std::move(name),
                       .bytes = bytes,
                       .behaviour = kIndexedReadOnly,
                       .residence = Residence::kLocalIfRoom};
  };
  const DataSegment edges = {.name = "edges",
                             .bytes = 1000,
                             .behaviour = kStreamedReadOnly,
                             .residence = Residence::kLocalOrFar};
  return {copy("first", 80), edges, copy("second", 90), copy("third", 10)};
}

TEST(PlanAtFarRatio, CopiesTakeTheirPartOfTheLocalShareFirst) {
  const std::vector<DataSegment> segments = SegmentsWithCopies();
  const PlacementPlan some = PlanAtFarRatio(segments, 0.85);
  EXPECT_TRUE(some.Holds("first"));
  EXPECT_FALSE(some.Holds("second"));
  EXPECT_FALSE(some.Holds("third"));  // it is of no use without the second
  EXPECT_DOUBLE_EQ(some.FarRatio("edges"), 0.93);
  EXPECT_EQ(some.local_bytes, 150u);
  EXPECT_EQ(some.CopyBytes(), 80u);
  EXPECT_DOUBLE_EQ(some.FarRatio(), 0.85);

  EXPECT_FALSE(PlanAtFarRatio(segments, 1).Holds("first"));
  EXPECT_EQ(PlanAtFarRatio(segments, 0).local_bytes, 1180u);
  EXPECT_EQ(PlanAtFarRatio(segments, 0).FarRatio(), 0);
}

TEST(PlanAtFarRatio, CachesTakeWhatCopiesLeaveOfTheLocalShare) {
  std::vector<DataSegment> segments = SegmentsWithCopies();
  segments.push_back({.name = "cache",
                      .bytes = 50,
                      .behaviour = kIndexedReadOnly,
                      .residence = Residence::kCacheIfRoom});
  const PlacementPlan part = PlanAtFarRatio(segments, 0.9);  // of 20 that the first copy leaves
  EXPECT_EQ(part.LocalBytes("cache"), 20u);
  EXPECT_EQ(part.CacheBytes(), 20u);
  EXPECT_DOUBLE_EQ(part.FarRatio("edges"), 1);
  EXPECT_DOUBLE_EQ(part.FarRatio(), 0.9);
  EXPECT_EQ(PlanAtFarRatio(segments, 0.6).LocalBytes("cache"), 50u);

  segments.push_back(segments.back());
  segments.back().name = "large cache";
  segments.back().bytes = 150;
  const PlacementPlan parts = PlanAtFarRatio(segments, 0.9);
  EXPECT_EQ(parts.LocalBytes("cache"), 5u);
  EXPECT_EQ(parts.LocalBytes("large cache"), 15u);
  segments.pop_back();

  EXPECT_FALSE(PlanAtFarRatio(segments, 0).Holds("cache"));
  EXPECT_FALSE(PlanAllLocal(segments, 10000).Holds("cache"));
  EXPECT_FALSE(PlanAtFarRatio(segments, 1).Holds("cache"));
}

TEST(PlanAtFarRatio, ListsSegmentsInTheOrderOfTheirGroups) {
  std::vector<std::string> names;
  for (const PlannedSegment& planned : PlanAtFarRatio(Segments(1, 1), 0).segments) {
    names.push_back(planned.segment.name);
  }
  EXPECT_THAT(names,
              testing::ElementsAre("out.edges", "in.edges", "heads", "index", "rank", "rings"));
}

TEST(PlanAtFarRatio, AJobWithoutEdgesHasNothingToSendAway) {
  const PlacementPlan plan = PlanAtFarRatio({{.name = "rank", .bytes = 100}}, 0.8);
  EXPECT_EQ(plan.local_bytes, 100u);
  EXPECT_EQ(plan.far_bytes, 0u);
}

TEST(PlanWithinBudget, KeepsAllLocalWhereItFits) {
  EXPECT_EQ(PlanWithinBudget(Segments(400, 540), 1300, true)->far_bytes, 0u);
  EXPECT_EQ(PlanWithinBudget(Segments(400, 540), 1300, false)->far_bytes, 0u);
}

TEST(PlanWithinBudget, NeverExceedsTheBudgetNorLeavesRoomForAnotherThousandth) {
  for (uint64_t budget = 350; budget < 1300; ++budget) {
    const auto plan = PlanWithinBudget(Segments(400, 540), budget, true);
    ASSERT_TRUE(plan.ok()) << plan.status();
    EXPECT_LE(plan->local_bytes, budget);
    EXPECT_GE(plan->local_bytes + 4, budget);
  }
}

TEST(PlanWithinBudget, RefusesWithTheSmallestBudgetThatWouldDo) {
  const absl::Status refused = PlanWithinBudget(Segments(400, 540), 349, true).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("--local_memory=350B"));
  const absl::Status without_nodes = PlanWithinBudget(Segments(400, 540), 1299, false).status();
  EXPECT_EQ(without_nodes.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(without_nodes.message()), HasSubstr("--local_memory=1300B"));
}

/// With 100 and 90 bytes of state whose buffers take 20 and 95.
std::vector<DataSegment> SegmentsWithState() {
  std::vector<DataSegment> segments = Segments(400, 540);
  segments.push_back({.name = "state",
                      .bytes = 100,
                      .behaviour = kSequentialReadWrite,
                      .residence = Residence::kFarIfShort,
                      .buffer_bytes = 20});
  segments.push_back({.name = "small state",
                      .bytes = 90,
                      .behaviour = kSequentialReadWrite,
                      .residence = Residence::kFarIfShort,
                      .buffer_bytes = 95});
  return segments;
}

TEST(PlanWithinBudget, StateGoesFarOnceAllElseIs) {
  const PlacementPlan edges_far = *PlanWithinBudget(SegmentsWithState(), 540, true);
  EXPECT_EQ(edges_far.FarStateBytes(), 0u);
  EXPECT_EQ(edges_far.local_bytes, 540u);
  EXPECT_EQ(edges_far.FarRatio(), 1);
  for (const uint64_t budget : {460, 539}) {
    const PlacementPlan plan = *PlanWithinBudget(SegmentsWithState(), budget, true);
    EXPECT_EQ(plan.FarStateBytes(), 100u) << "what saves nothing stays";
    EXPECT_EQ(plan.FarRatio("state"), 1);
    EXPECT_EQ(plan.far_bytes, 1100u);
    EXPECT_EQ(plan.local_bytes, 460u);
    EXPECT_EQ(plan.FarRatio(), 1) << "of the lists";
  }
  EXPECT_EQ(SmallestBudget(SegmentsWithState(), /*have_far_memory=*/true), 460u);
  EXPECT_FALSE(PlanWithinBudget(SegmentsWithState(), 459, true).ok());
  EXPECT_EQ(PlanAtFarRatio(SegmentsWithState(), 1).FarStateBytes(), 0u)
      << "a far ratio is one of lists";
}

TEST(PlanWithinBudget, GivesUpCopiesBeforeAnythingGoesFar) {
  const std::vector<DataSegment> segments = SegmentsWithCopies();
  for (const bool have_far_memory : {false, true}) {
    const PlacementPlan plan = *PlanWithinBudget(segments, 1169, have_far_memory);
    EXPECT_EQ(plan.far_bytes, 0u);
    EXPECT_EQ(plan.local_bytes, 1080u);
    EXPECT_TRUE(plan.Holds("first"));
    EXPECT_FALSE(plan.Holds("second"));
    EXPECT_FALSE(plan.Holds("third"));
    EXPECT_EQ(PlanWithinBudget(segments, 1180, have_far_memory)->local_bytes, 1180u);
  }
  EXPECT_EQ(SmallestBudget(segments, /*have_far_memory=*/false), 1000u);
  EXPECT_EQ(PlanWithinBudget(segments, 1000, false)->local_bytes, 1000u);
  EXPECT_FALSE(PlanWithinBudget(segments, 999, false).ok());
}

TEST(PlanWithinBudget, NamesTheBudgetForAllLocalWhereBuffersWouldTakeMore) {
  const std::vector<DataSegment> few_edges = {
      {.name = "rank", .bytes = 300},
      {.name = "edges",
       .bytes = 20,
       .behaviour = kStreamedReadOnly,
       .residence = Residence::kLocalOrFar},
      {.name = "rings", .bytes = 50, .residence = Residence::kLocalWithFar}};
  EXPECT_THAT(std::string(PlanWithinBudget(few_edges, 319, true).status().message()),
              HasSubstr("--local_memory=320B"));
  EXPECT_EQ(PlanWithinBudget(few_edges, 320, true)->far_bytes, 0u);
}

}  // namespace
}  // namespace fargraph
