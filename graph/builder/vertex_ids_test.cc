#include "graph/builder/vertex_ids.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAreArray;

std::vector<uint64_t> InOrder(const VertexIds& ids) {
  std::vector<uint64_t> visited;
  const auto visit = [&](uint64_t id) {
    visited.push_back(id);
    return absl::OkStatus();
  };
  EXPECT_TRUE(ids.ForEach(visit).ok());
  return visited;
}

TEST(VertexIds, RanksWhatCameInAnyOrderAndOfAnySize) {
  std::mt19937_64 random(1);
  // Larger and smaller than before, on either side of what has a bit in a table.
  for (const std::vector<uint64_t>& most :
       {std::vector<uint64_t>{5, 70, 64, 1000, 100'000},
        {VertexIds::kDenseIds + 100, 3, VertexIds::kDenseIds, 1 << 20},
        {~uint64_t{0} - 1, 200}}) {
    VertexIds ids;
    std::set<uint64_t> expected;
    for (const uint64_t end : most) {
      std::vector<InputEdge> edges(50);
      for (InputEdge& edge : edges) {
        edge = {end - 1 - random() % std::min<uint64_t>(end, 200), random() % end};
        expected.insert({edge.source, edge.target});
      }
      ids.Add(edges);
    }
    ids.Rank();
    EXPECT_EQ(ids.size(), expected.size());
    EXPECT_THAT(InOrder(ids), ElementsAreArray(expected));
    uint64_t rank = 0;
    for (const uint64_t id : expected) {
      EXPECT_EQ(ids.Find(id), rank++);
      for (const uint64_t near : {id - 1, id + 1, id ^ 64}) {
        if (expected.contains(near)) continue;
        EXPECT_EQ(ids.Find(near), VertexIds::kNoRank) << near;
      }
    }
  }
}

TEST(VertexIds, ManyAtOnceAreFoundByAllThreads) {
  constexpr uint64_t kIds = 100'000;  // more than one thread takes
  std::vector<InputEdge> edges(kIds / 2);
  for (uint64_t i = 0; i < edges.size(); ++i) edges[i] = {3 * i, 3 * (kIds - 1 - i)};
  VertexIds ids;
  ids.Add(edges);
  ids.Rank();
  EXPECT_EQ(ids.size(), kIds);
  EXPECT_FALSE(ids.identity());
  for (uint64_t i = 0; i < kIds; ++i) ASSERT_EQ(ids.Find(3 * i), i);
  EXPECT_EQ(ids.Find(3 * kIds), VertexIds::kNoRank);
}

TEST(VertexIds, ARangeIsItsOwn) {
  VertexIds ids = VertexIds::Range(7, 3);
  ids.Rank();
  EXPECT_THAT(InOrder(ids), testing::ElementsAre(7, 8, 9));
  EXPECT_EQ(ids.Find(8), 1u);
  EXPECT_EQ(ids.Find(6), VertexIds::kNoRank);
  EXPECT_EQ(ids.Find(10), VertexIds::kNoRank);
  EXPECT_FALSE(ids.identity());
  EXPECT_TRUE(VertexIds::Range(0, 3).identity());
}

}  // namespace
}  // namespace fargraph
