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

}  // namespace
}  // namespace fargraph
