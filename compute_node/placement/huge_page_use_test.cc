#include "compute_node/placement/huge_page_use.h"

#include <vector>

#include "common/units.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

const std::vector<DataSegment> kSegments = {
    {.name = "edges",
     .bytes = 80 * kMiB,
     .behaviour = kStreamedReadOnly,
     .residence = Residence::kLocalOrFar},
    {.name = "small",
     .bytes = kMiB,
     .behaviour = kStreamedReadOnly,
     .residence = Residence::kLocalOrFar},
    {.name = "rank", .bytes = 64 * kMiB},
    {.name = "rings", .bytes = 6 * kMiB, .residence = Residence::kLocalWithFar}};

TEST(HugePagesWanted, AllLocalTheyAreOfTheListsAndWhatLiesBehindThem) {
  EXPECT_EQ(HugePagesWanted(PlanAtFarRatio(kSegments, 0), 64 * kKiB), 41u);
}

TEST(HugePagesWanted, WhatIsFarWantsBuffersInstead) {
  EXPECT_EQ(HugePagesWanted(PlanAtFarRatio(kSegments, 1), 64 * kKiB), 3u);
}

TEST(HugePagesWanted, AChunkThatStaysLocalHasRoom) {
  // 40 MiB and a half of the small one, which stays below a page; chunks are larger than pages.
  EXPECT_EQ(HugePagesWanted(PlanAtFarRatio(kSegments, 0.5), kMiB), 21u + 3u);
  EXPECT_EQ(HugePagesWanted(PlanAtFarRatio(kSegments, 0.5), 4 * kMiB), 23u + 3u + 3u);
}

TEST(BytesOnOrdinaryPages, AreAllButWhatGetsReservedPages) {
  const PlacementPlan plan = PlanAtFarRatio(kSegments, 0);
  const auto bytes_with = [&](uint64_t available) {
    return BytesOnOrdinaryPages(plan, 64 * kKiB, {.reserved = 500, .available = available});
  };
  EXPECT_EQ(bytes_with(0), 145 * kMiB);
  EXPECT_EQ(bytes_with(10), 125 * kMiB);
  EXPECT_EQ(bytes_with(500), 145 * kMiB - 41 * kHugePageBytes) << "no more than are wanted";
}

}  // namespace
}  // namespace fargraph
