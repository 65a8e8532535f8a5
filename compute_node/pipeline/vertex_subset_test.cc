#include "compute_node/pipeline/vertex_subset.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr VertexId kSubsetVertices = 1000;

std::vector<VertexId> MembersWithin(const VertexSubset& subset, VertexId begin, VertexId end) {
  std::vector<VertexId> members;
  subset.ForEach(begin, end, [&](VertexId v) { members.push_back(v); });
  return members;
}

TEST(VertexSubset, BothFormsHoldTheSameMembers) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 100; ++trial) {
    Bitmap bits(kSubsetVertices);
    std::vector<VertexId> members;
    for (int i = trial % 40; i > 0; --i) {
      const VertexId v = random() % kSubsetVertices;
      if (bits.Set(v)) members.push_back(v);
    }
    const VertexSubset dense(bits);
    VertexSubset sparse(kSubsetVertices, members);
    sparse.Sort();
    ASSERT_TRUE(sparse.is_sparse());
    ASSERT_FALSE(dense.is_sparse());
    EXPECT_EQ(sparse.size(), dense.size());
    EXPECT_EQ(sparse.vertices(), dense.vertices());
    for (const VertexSubset& subset : {sparse, dense}) {
      for (const Bitmap& of_subset : {subset.ToBitmap(), VertexSubset(subset).ToBitmap()}) {
        EXPECT_EQ(MembersWithin(VertexSubset(of_subset), 0, kSubsetVertices),
                  MembersWithin(dense, 0, kSubsetVertices));
      }
    }

    const VertexId begin = random() % kSubsetVertices;
    const VertexId end = begin + random() % (kSubsetVertices - begin);
    EXPECT_EQ(MembersWithin(sparse, begin, end), MembersWithin(dense, begin, end));
    EXPECT_EQ(sparse.Any(begin, end), dense.Any(begin, end));
    EXPECT_EQ(sparse.Contains(begin), dense.Contains(begin));
  }
}

TEST(VertexSubset, EmptyOnes) {
  EXPECT_TRUE(VertexSubset(kSubsetVertices).empty());
  EXPECT_FALSE(VertexSubset(kSubsetVertices).Any(0, kSubsetVertices));
  EXPECT_TRUE(VertexSubset(Bitmap(kSubsetVertices)).empty());
  EXPECT_TRUE(VertexSubset::NoBits(kSubsetVertices).empty());
  EXPECT_FALSE(VertexSubset::NoBits(kSubsetVertices).is_sparse());
  EXPECT_TRUE(VertexSubset(Bitmap(0)).ListedIfFew().members().empty());
}

TEST(VertexSubset, SortsFewAndMany) {
  constexpr VertexId kMany = 1 << 20;
  std::mt19937 random(5);
  for (const size_t size :
       {0u, 1u, 100u, 400u, 600u, 16000u, 20'000u}) {  // by comparing, by bits, and on all cores
    std::set<VertexId> expected;
    while (expected.size() < size) expected.insert(random() % kMany);
    std::vector<VertexId> members(expected.begin(), expected.end());
    std::shuffle(members.begin(), members.end(), random);
    VertexSubset subset(kMany, std::move(members));
    subset.Sort();
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), subset.members().begin(),
                           subset.members().end()));
  }
}

TEST(VertexSubset, OfManyVerticesBothFormsHoldTheSameMembers) {
  constexpr VertexId kOnAllCores = (1 << 23) - 63;  // the least whose bits take 1 MiB
  std::mt19937 random(3);
  for (const VertexId vertices : {kOnAllCores - 1, kOnAllCores, kOnAllCores + 64}) {
    for (const size_t most : {size_t{20'000}, VertexSubset::MostSparse(vertices) + 1}) {
      std::set<VertexId> drawn = {0, vertices - 1};
      while (drawn.size() < most) drawn.insert(random() % vertices);
      const std::vector<VertexId> ascending(drawn.begin(), drawn.end());
      std::vector<VertexId> members = ascending;
      std::shuffle(members.begin(), members.end(), random);

      const VertexSubset bits(VertexSubset(vertices, members).ToBitmap());
      EXPECT_EQ(bits.size(), members.size());
      EXPECT_EQ(MembersWithin(bits, 0, vertices), ascending);
      EXPECT_EQ(bits.Listed().members(), absl::MakeConstSpan(ascending));
      EXPECT_EQ(VertexSubset(bits).ListedIfFew().is_sparse(), most == 20'000);
      EXPECT_EQ(VertexSubset::Of(vertices, members).is_sparse(), most == 20'000);
    }
  }
}

}  // namespace
}  // namespace fargraph
