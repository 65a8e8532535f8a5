#include "graph/builder/degree_counts.h"

#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;

TEST(DegreeCounts, AreThoseOfAPlainCount) {
  std::mt19937_64 random(1);
  for (const int id_bits : {4, 12, 28, 64}) {
    std::vector<uint64_t> ids(300);
    for (uint64_t& id : ids) id = random() >> (64 - id_bits);
    DegreeCounts counts(0, VertexIds::kDenseIds, /*count_self_loops=*/true);
    VertexIds set;
    std::map<uint64_t, VertexId> expected;
    for (int batch = 0; batch < 3; ++batch) {
      std::vector<InputEdge> edges(50'000);  // for several threads; many counters carry
      for (InputEdge& edge : edges) {
        edge = {ids[random() % 300], ids[random() % (1 + random() % 300)], 0};
        ++expected[edge.source];
        ++expected[edge.target];
      }
      counts.Add(edges);
      set.Add(edges);
    }
    set.Rank();
    std::vector<VertexId> degrees;
    for (const auto& [id, degree] : expected) degrees.push_back(degree);
    EXPECT_EQ(counts.ByRank(set), degrees) << id_bits;
  }
}

TEST(DegreeCounts, CountNoSelfLoopsWhereTheseAreRemoved) {
  const std::vector<InputEdge> edges = {{1, 1, 0}, {0, 1, 0}, {2, 2, 0}};
  DegreeCounts with(0, 10, /*count_self_loops=*/true);
  DegreeCounts without(0, 10, /*count_self_loops=*/false);
  with.Add(edges);
  without.Add(edges);
  EXPECT_THAT(with.ByRank(VertexIds::Range(0, 4)), ElementsAre(1, 3, 2, 0));
  EXPECT_THAT(without.ByRank(VertexIds::Range(0, 4)), ElementsAre(1, 1, 0, 0));
}

TEST(DegreeCounts, OfDeclaredIdsBeginAtTheFirst) {
  constexpr uint64_t kFirst = std::numeric_limits<uint64_t>::max() - 3;
  DegreeCounts counts(kFirst, 3, /*count_self_loops=*/true);
  counts.Add(std::vector<InputEdge>{{kFirst, kFirst + 1, 0}, {kFirst, kFirst, 0}});
  EXPECT_THAT(counts.ByRank(VertexIds::Range(kFirst, 3)), ElementsAre(3, 1, 0));
}

}  // namespace
}  // namespace fargraph
