#include "algorithms/building_blocks/union_find.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "compute_node/testing/thread_count.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using Edges = std::vector<std::pair<VertexId, VertexId>>;

Edges RandomPairs(VertexId vertices, size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Edges edges(count);
  for (auto& [a, b] : edges) {
    a = random() % vertices;
    b = random() % vertices;
  }
  return edges;
}

/// The smallest vertex that each one is joined to, by passes over the edges until nothing changes.
std::vector<VertexId> SmallestOf(VertexId vertices, const Edges& edges) {
  std::vector<VertexId> smallest(vertices);
  for (VertexId v = 0; v < vertices; ++v) smallest[v] = v;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [a, b] : edges) {
      const VertexId least = std::min(smallest[a], smallest[b]);
      changed |= smallest[a] != least || smallest[b] != least;
      smallest[a] = smallest[b] = least;
    }
  }
  return smallest;
}

TEST(UnionFind, JoinsByManyThreadsLeaveTheSmallestAsRoot) {
  constexpr VertexId kVertices = 3000;
  const ThreadCount count(4);
  for (unsigned seed = 1; seed < 20; ++seed) {
    const Edges edges = RandomPairs(kVertices, kVertices * seed / 10, seed);
    UnionFind forest(kVertices);
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t i = 0; i < edges.size(); ++i) {
      const VertexId root = forest.Join(edges[i].first, edges[i].second);
      EXPECT_LE(root, std::min(edges[i].first, edges[i].second));
    }
    forest.Flatten();
    const VertexArray<VertexId> parents = std::move(forest).TakeParents();
    const std::vector<VertexId> expected = SmallestOf(kVertices, edges);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), parents.data())) << seed;
  }
}

TEST(UnionFind, AChainHangsUnderItsRootInTheEnd) {
  constexpr VertexId kVertices = 1000;
  UnionFind forest(kVertices);
  for (VertexId v = kVertices - 1; v > 0; --v) EXPECT_EQ(forest.Join(v, v - 1), v - 1);
  EXPECT_EQ(forest.Parent(kVertices - 1), kVertices - 2);
  forest.Flatten();
  for (VertexId v = 0; v < kVertices; ++v) EXPECT_EQ(forest.Parent(v), 0u);
}

TEST(UnionFind, ASearchHalvesThePath) {
  constexpr VertexId kVertices = 100;
  UnionFind forest(kVertices);
  for (VertexId v = kVertices - 1; v > 0; --v) forest.Join(v, v - 1);
  EXPECT_EQ(forest.Join(kVertices - 1, 0), 0u);
  EXPECT_EQ(forest.Parent(kVertices - 1), kVertices - 3);
}

}  // namespace
}  // namespace fargraph
