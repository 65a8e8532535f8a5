#include "compute_node/engine/edge_map.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <utility>
#include <vector>

#include "compute_node/engine/vertex_map.h"
#include "compute_node/testing/random_edges.h"
#include "compute_node/testing/test_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

/// Marks what a frontier reaches, once.
struct Reach {
  std::vector<char> reached = std::vector<char>(kRandomVertices);
  bool Cond(VertexId target) const {
    return !std::atomic_ref(const_cast<char&>(reached[target])).load();
  }
  bool Update(VertexId, VertexId target) { return UpdateAtomic(0, target); }
  bool UpdateAtomic(VertexId, VertexId target) {
    return std::atomic_ref(reached[target]).exchange(1) == 0;
  }
};

class EdgeMapTest : public testing::TestWithParam<size_t> {};

TEST_P(EdgeMapTest, PushAndPullReachTheSameTargets) {
  TestGraph test_graph(kRandomVertices, RandomEdges(8), {.far_ratio = 0.8, .heads = GetParam()});
  Graph& graph = test_graph.graph();
  const VertexSubset frontier =
      VertexFilter(kRandomVertices, [](VertexId v) { return v % 11 == 0; });
  Reach pushed, pulled;
  EdgeMap edge_map(graph);
  const auto by_push = edge_map.Push(frontier, pushed);
  const auto by_pull = edge_map.Pull(frontier, pulled);
  ASSERT_TRUE(by_push.ok() && by_pull.ok());
  EXPECT_EQ(pushed.reached, pulled.reached);
  EXPECT_EQ(by_push->size(), by_pull->size());
  EXPECT_GT(by_push->size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Heads, EdgeMapTest, testing::Values(0, 1, 4));

/// Counts the edges that arrive at each vertex, and which of the two updates brought them.
struct Arrivals {
  explicit Arrivals(VertexId vertices) : counts(vertices) {}
  std::vector<uint32_t> counts;
  std::atomic<uint32_t> atomic_updates = 0;

  bool Update(VertexId, VertexId target) { return counts[target]++ == 0; }
  bool UpdateAtomic(VertexId, VertexId target) {
    ++atomic_updates;
    return std::atomic_ref(counts[target]).fetch_add(1) == 0;
  }
};

TEST(EdgeMap, APushTakesEveryEdgeOnceByOneThreadOrByMany) {
  constexpr VertexId kMany = 100'000;
  std::mt19937 random(3);
  EdgeList edges;
  for (VertexId v = 0; v < kMany; ++v) {  // lists around the length at which one is short
    for (VertexId i = random() % 12; i > 0; --i) edges.emplace_back(v, random() % kMany);
  }
  TestGraph test_graph(kMany, edges, {.chunk_bytes = 4096});
  for (const VertexId frontier_size : {1u, 64u, 65u, 128u, 129u, 1500u}) {
    std::vector<VertexId> members(frontier_size);
    for (VertexId& v : members) v = &v - members.data() + kMany - frontier_size;
    const VertexSubset frontier(kMany, std::move(members));
    std::vector<uint32_t> expected(kMany);
    for (const auto& [source, target] : edges) {
      expected[target] += source >= kMany - frontier_size;
    }
    Arrivals arrivals(kMany);
    const auto next = EdgeMap(test_graph.graph()).Push(frontier, arrivals);
    ASSERT_TRUE(next.ok());
    EXPECT_EQ(arrivals.counts, expected);
    EXPECT_EQ(next->size(), kMany - std::count(expected.begin(), expected.end(), 0u));
    if (omp_get_max_threads() > 1) {
      const bool is_short = frontier_size <= VertexSubset::kBatch * omp_get_max_threads();
      EXPECT_EQ(arrivals.atomic_updates == 0, is_short);
    }
  }
}

TEST(EdgeMap, WhatTheHeadsSatisfyIsNotFetched) {
  EdgeList edges;  // everybody's first neighbour is 0
  for (VertexId v = 1; v < kRandomVertices; ++v) {
    for (const VertexId target : {VertexId{0}, v}) edges.emplace_back(target, v);
  }
  TestGraph test_graph(kRandomVertices, edges, {.far_ratio = 1, .heads = 1});
  Reach reach;
  reach.reached[0] = true;
  const auto next =
      EdgeMap(test_graph.graph()).Pull(VertexSubset::Single(kRandomVertices, 0), reach);
  ASSERT_TRUE(next.ok());
  EXPECT_EQ(next->size(), kRandomVertices - 1);
  EXPECT_EQ(test_graph.graph().stats().requests, 0u);
}

/// Knows whether a step asked what a target wants: only a pull does.
struct WatchedReach : Reach {
  explicit WatchedReach(VertexId vertices) { reached.resize(vertices); }
  mutable std::atomic<bool> pulled = false;

  bool Cond(VertexId target) const {
    pulled = true;
    return Reach::Cond(target);
  }
};

TEST(EdgeMap, PushesWhereTheEdgesOfAStepLedToTheSameFew) {
  constexpr VertexId kVertices = 4000;
  EdgeList edges;  // two steps of 20,000 edges each, to 200 and to 100 vertices
  for (VertexId v = 100; v < 300; ++v) {
    for (VertexId other = 0; other < 100; ++other) {
      edges.emplace_back(other, v);
      edges.emplace_back(v, 300 + other);
    }
  }
  for (VertexId v = 400; v < kVertices; ++v) {  // lists that a pull reads in vain
    for (VertexId i = 1; i <= 17; ++i) edges.emplace_back(v, 400 + (v + i) % (kVertices - 400));
  }
  TestGraph test_graph(kVertices, edges, {});
  const auto first = VertexFilter(kVertices, [](VertexId v) { return v < 100; });
  const auto second = VertexFilter(kVertices, [](VertexId v) { return v >= 100 && v < 300; });

  EdgeMap edge_map(test_graph.graph()), unaware(test_graph.graph());
  WatchedReach one(kVertices), two(kVertices), unaware_two(kVertices);
  EXPECT_EQ(edge_map(first, one)->size(), 200u);
  EXPECT_TRUE(one.pulled);
  EXPECT_EQ(edge_map(second, two)->size(), 100u);
  EXPECT_FALSE(two.pulled);
  EXPECT_EQ(unaware(second, unaware_two)->size(), 100u);
  EXPECT_TRUE(unaware_two.pulled);
}

TEST(EdgeMap, WithoutInEdgesAPullIsAnError) {
  TestGraph test_graph(kRandomVertices, RandomEdges(8), {.with_in_edges = false});
  Reach reach;
  EXPECT_EQ(EdgeMap(test_graph.graph())
                .Pull(VertexSubset::Single(kRandomVertices, 0), reach)
                .status()
                .code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(EdgeMap, WithoutInEdgesItPushes) {
  TestGraph test_graph(kRandomVertices, RandomEdges(8), {.with_in_edges = false});
  const VertexSubset all = VertexFilter(kRandomVertices, [](VertexId) { return true; });
  Reach reach;
  const auto next = EdgeMap(test_graph.graph())(all, reach);
  ASSERT_TRUE(next.ok());
  EXPECT_GT(next->size(), 400u);
}

}  // namespace
}  // namespace fargraph
