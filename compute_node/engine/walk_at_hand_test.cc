#include "compute_node/engine/walk_at_hand.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/io_iterator.h"
#include "compute_node/testing/random_edges.h"
#include "compute_node/testing/test_graph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

/// Vertices of a narrow range, as a step of a search on a plane has them; now and then a long list.
VertexSubset StepAt(VertexId begin, std::mt19937& random) {
  std::vector<VertexId> members;
  for (VertexId v = begin; v < std::min<VertexId>(begin + 40, kRandomVertices); ++v) {
    if (random() % 2 == 0) members.push_back(v);
  }
  if (random() % 4 == 0 && begin > 2) members.push_back(random() % 3);
  std::shuffle(members.begin(), members.end(), random);
  return VertexSubset(kRandomVertices, std::move(members));
}

NeighborLists Deliver(Graph& graph, const VertexSubset& active) {
  NeighborLists delivered(kRandomVertices);
  const auto deliver = [&](VertexId v, absl::Span<const VertexId> neighbors) {
    delivered[v].insert(delivered[v].end(), neighbors.begin(), neighbors.end());
  };
  const absl::Status status = ForEachList(graph, Direction::kOut, &active, deliver);
  EXPECT_TRUE(status.ok()) << status;
  return delivered;
}

class CachedWalkTest : public testing::TestWithParam<std::tuple<double, size_t>> {
 protected:
  TestGraphOptions Options() const {
    const auto& [far_ratio, cache_slots] = GetParam();
    return {.far_ratio = far_ratio, .cache_slots = cache_slots};
  }
};

TEST_P(CachedWalkTest, DeliversEveryListOnceWhateverIsHere) {
  const EdgeList edges = RandomEdges(11);
  TestGraph test_graph(kRandomVertices, edges, Options());
  std::mt19937 random(3);
  for (int step = 0; step < 300; ++step) {
    const VertexSubset active = StepAt(random() % kRandomVertices, random);
    ASSERT_EQ(Deliver(test_graph.graph(), active),
              ListsOf(kRandomVertices, edges, Direction::kOut, &active))
        << "step " << step;
  }
}

TEST_P(CachedWalkTest, AnIteratorGetsTheSameLists) {
  const EdgeList edges = RandomEdges(13);
  TestGraph test_graph(kRandomVertices, edges, Options());
  std::mt19937 random(4);
  for (int step = 0; step < 50; ++step) {
    const VertexSubset active = StepAt(random() % 100, random);
    NeighborLists delivered(kRandomVertices);
    ActiveLists lists(test_graph.graph(), Direction::kOut, active);
    for (IoIterator it(lists); it.has_more();) {
      it.next();
      auto& list = delivered[it.current()];
      list.insert(list.end(), it.get_neighbors().begin(), it.get_neighbors().end());
    }
    ASSERT_TRUE(lists.status().ok());
    ASSERT_EQ(delivered, ListsOf(kRandomVertices, edges, Direction::kOut, &active));
  }
}

TEST_P(CachedWalkTest, WeightsStayWithTheirEdges) {
  const EdgeList edges = RandomEdges(14);
  for (const WeightType type : {WeightType::kInt32, WeightType::kUint8}) {
    const auto weight_of = [type](VertexId source, VertexId target) {
      const uint32_t weight = source * 1000 + target;
      return type == WeightType::kUint8 ? weight % 251 : weight;
    };
    TestGraphOptions options = Options();
    options.weight_type = type;
    for (const auto& [source, target] : edges)
      options.weight_bits.push_back(weight_of(source, target));
    TestGraph test_graph(kRandomVertices, edges, options);
    const VertexSubset active(kRandomVertices, {40, 41, 44, 0, 200});
    for (int step = 0; step < 4; ++step) {
      uint64_t seen = 0;
      const absl::Status status = ForEachWeightedList<int32_t>(
          test_graph.graph(), Direction::kOut, &active,
          [&](VertexId v, absl::Span<const VertexId> neighbors, auto weights) {
            for (size_t i = 0; i < neighbors.size(); ++i)
              EXPECT_EQ(static_cast<uint32_t>(weights[i]), weight_of(v, neighbors[i]));
            std::atomic_ref(seen).fetch_add(neighbors.size());
          });
      ASSERT_TRUE(status.ok()) << status;
      uint64_t expected = 0;
      for (const VertexId v : active.members())
        expected += test_graph.graph().Degree(v, Direction::kOut);
      EXPECT_EQ(seen, expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(FarRatiosAndSlots, CachedWalkTest,
                         testing::Combine(testing::Values(0, 0.5, 1),
                                          testing::Values<size_t>(1, 3, 20)));

/// Lists of which a block holds 64, all of them far.
class BlocksOfLists : public testing::Test {
 protected:
  static constexpr VertexId kDegree = 16;
  static constexpr VertexId kPerBlock = ListCache::kEdgesPerBlock / kDegree;
  static constexpr VertexId kVertices = 30 * kPerBlock;
  static constexpr uint64_t kBlockBytes = ListCache::kSlotEdges * sizeof(VertexId);

  static EdgeList Edges() {
    EdgeList edges;
    for (VertexId v = 0; v < kVertices; ++v) {
      for (VertexId i = 1; i <= kDegree; ++i) edges.emplace_back(v, (v + i) % kVertices);
    }
    return edges;
  }

  /// The list number `number` of some blocks.
  static VertexSubset OfEach(VertexId number, std::vector<VertexId> blocks) {
    for (VertexId& block : blocks) block = block * kPerBlock + number;
    return VertexSubset(kVertices, std::move(blocks));
  }
  static VertexSubset OfBlocks(VertexId number, VertexId begin, VertexId end) {
    std::vector<VertexId> blocks(end - begin);
    std::iota(blocks.begin(), blocks.end(), begin);
    return OfEach(number, std::move(blocks));
  }

  /// The bytes that a walk fetches, which tells of `soon`.
  uint64_t Walk(const VertexSubset& active, const VertexSubset& soon = VertexSubset(kVertices)) {
    const uint64_t before = graph_.stats().bytes_fetched;
    std::atomic<size_t> right = 0;
    const auto tell = [&](auto&& take) { take(soon.members()); };
    const absl::Status status = ForEachList(
        graph_, Direction::kOut, &active,
        [&](VertexId v, absl::Span<const VertexId> neighbors) {
          if (neighbors.size() == kDegree)
            right += absl::c_linear_search(neighbors, (v + 1) % kVertices);
        },
        ListScan::Soon(tell));
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(right, active.size());
    return graph_.stats().bytes_fetched - before;
  }

  TestGraph test_graph_{kVertices, Edges(), {.far_ratio = 1, .cache_slots = 30}};
  Graph& graph_ = test_graph_.graph();
};

TEST_F(BlocksOfLists, OfManyComeTheSecondTimeAndThenNoMore) {
  EXPECT_LT(Walk(OfBlocks(3, 0, 20)), 20 * kBlockBytes / 10);
  EXPECT_GE(Walk(OfBlocks(4, 0, 20)), 20 * kBlockBytes);
  EXPECT_EQ(Walk(OfBlocks(5, 0, 20)), 0u);
}

TEST_F(BlocksOfLists, OfFewComeAtOnce) {
  EXPECT_GE(Walk(OfBlocks(3, 0, 2)), 2 * kBlockBytes);
  EXPECT_EQ(Walk(OfBlocks(4, 0, 2)), 0u);
}

TEST_F(BlocksOfLists, ThatTheNextWalkWillAskForComeWithOthers) {
  EXPECT_GE(Walk(OfEach(3, {1}), OfEach(3, {7, 9})), 3 * kBlockBytes);
  EXPECT_EQ(Walk(OfEach(3, {7, 9})), 0u);
  EXPECT_EQ(Walk(OfEach(4, {1}), OfEach(3, {11})), 0u);  // which has nothing to wait for
  EXPECT_GE(Walk(OfEach(3, {11})), kBlockBytes);
}

TEST_F(BlocksOfLists, OfAWalkThatWasLeftAreHereBehindIt) {
  const ListCache* cache = graph_.cache(graph_.Lists(Direction::kOut));
  for (VertexId block = 0; block < 20; ++block) {
    const VertexSubset active = OfEach(3, {block});
    { const ActiveLists left(graph_, Direction::kOut, active); }
    const VertexId v = active.members().front();
    const LocalList found = cache->Find(v);
    ASSERT_NE(found.edges, nullptr);
    EXPECT_EQ(found.edges[0], v + 1) << "not before it has arrived";
  }
}

TEST(CachedWalk, RestsWhileItHasTooLittleOfWhatIsAskedFor) {
  constexpr size_t kMany = 100;
  TestGraph test_graph(kRandomVertices, RandomEdges(16), {.far_ratio = 1, .cache_slots = 1});
  Graph& graph = test_graph.graph();
  const ListCache* cache = graph.cache(graph.Lists(Direction::kOut));
  ASSERT_TRUE(cache->pays(kMany));
  std::mt19937 random(5);
  for (int step = 0; step < 1000 && cache->pays(kMany); ++step)
    Deliver(graph, StepAt(random() % kRandomVertices, random));
  EXPECT_FALSE(cache->pays(kMany));
  EXPECT_TRUE(cache->pays(1));
  for (int step = 0; step < 1000 && !cache->pays(kMany); ++step)
    Deliver(graph, StepAt(random() % kRandomVertices, random));
  EXPECT_TRUE(cache->pays(kMany));  // it tries again
}

TEST(CachedWalk, AFailedTierIsAnErrorOfThatWalkAndOfTheNext) {
  for (uint64_t requests = 1; requests <= 9; ++requests) {
    TestGraph test_graph(kRandomVertices, RandomEdges(17),
                         {.far_ratio = 1, .fail_after = requests, .cache_slots = 20});
    std::mt19937 random(6);
    const auto walk = [&](VertexId begin) {
      const VertexSubset active = StepAt(begin, random);
      return ForEachList(test_graph.graph(), Direction::kOut, &active,
                         [](VertexId, absl::Span<const VertexId>) {});
    };
    absl::Status status;
    VertexId begin = 0;
    for (int step = 0; step < 50 && status.ok(); ++step)
      status = walk(begin = random() % kRandomVertices);
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << requests;
    EXPECT_EQ(walk(begin).code(), absl::StatusCode::kUnavailable) << requests;
  }
}

TEST(ListCache, TakesNoMoreThanItsBytes) {
  for (const uint64_t weight_bytes : {0, 1, 4}) {
    const uint64_t slots = ListCache::SlotsWithin(1 << 20, 1000000, weight_bytes);
    EXPECT_GT(slots, 0u);
    EXPECT_LE(ListCache::Bytes(slots, 1000000, weight_bytes), 1u << 20);
    EXPECT_GT(ListCache::Bytes(slots + 1, 1000000, weight_bytes), 1u << 20);
  }
  EXPECT_EQ(ListCache::SlotsWithin(100, 1000000, false), 0u);
}

}  // namespace
}  // namespace fargraph
