#include "graph/builder/renumbering.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;

// The group of a degree, worked out in floating point.
int GroupOf(double degree, double average) {
  if (degree == 0) return 8;
  int group = 0;
  for (double smallest = 32 * average; group < 7 && degree < smallest; smallest /= 2) ++group;
  return group;
}

TEST(Renumbering, PutsGroupsOfLargeDegreesFirstAndKeepsTheOrderWithin) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<VertexId> degrees(1 + random() % 5000);
    double sum = 0;
    double with_edges = 0;
    for (VertexId& degree : degrees) {
      degree = random() % 4 == 0 ? 0 : VertexId{1} << (random() % 12);
      sum += degree;
      with_edges += degree > 0;
    }
    const Renumbering renumbering = Renumbering::HubsFirst(degrees);
    std::vector<uint64_t> ranks(degrees.size(), ~uint64_t{0});
    for (uint64_t rank = 0; rank < degrees.size(); ++rank) {
      uint64_t& entry = ranks.at(renumbering.VertexOf(rank));
      ASSERT_EQ(entry, ~uint64_t{0}) << "two ranks for one vertex";
      entry = rank;
    }
    for (size_t v = 1; v < ranks.size(); ++v) {
      const int before = GroupOf(degrees[ranks[v - 1]], sum / with_edges);
      const int group = GroupOf(degrees[ranks[v]], sum / with_edges);
      ASSERT_LE(before, group) << v;
      if (before == group) {
        ASSERT_LT(ranks[v - 1], ranks[v]);
      }
    }
  }
}

TEST(Renumbering, BordersOfGroupsAreMultiplesOfTheAverage) {
  // 16 on average over the vertices with edges: groups from 32, 16 and 8.
  const Renumbering renumbering = Renumbering::HubsFirst({7, 8, 0, 15, 16, 0, 31, 19});
  EXPECT_THAT(renumbering.vertices(), ElementsAre(5, 3, 6, 4, 0, 7, 1, 2));
}

TEST(Renumbering, IsNoneWhereTheOrderIsRightAlready) {
  EXPECT_TRUE(Renumbering::HubsFirst({}).identity());
  EXPECT_TRUE(Renumbering::HubsFirst({0, 0}).identity());
  EXPECT_TRUE(Renumbering::HubsFirst({9, 9, 1, 1, 0}).identity());
  EXPECT_FALSE(Renumbering::HubsFirst({0, 9}).identity());
  EXPECT_EQ(Renumbering().VertexOf(17), 17u);
}

TEST(DegreesAreSkewed, FromAHubOf32TimesTheAverageOn) {
  std::vector<VertexId> degrees(1000, 2);
  EXPECT_FALSE(DegreesAreSkewed(degrees));
  degrees[500] = 63;  // the average is 2.061
  EXPECT_FALSE(DegreesAreSkewed(degrees));
  degrees[500] = 67;  // the average is 2.065
  EXPECT_TRUE(DegreesAreSkewed(degrees));
  degrees.resize(100'000);  // vertices without edges
  EXPECT_TRUE(DegreesAreSkewed(degrees));
  EXPECT_FALSE(DegreesAreSkewed(std::vector<VertexId>(10)));
  EXPECT_FALSE(DegreesAreSkewed({}));
}

}  // namespace
}  // namespace fargraph
