#include "compute_node/io_iterator.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <tuple>

#include "compute_node/testing/random_edges.h"
#include "compute_node/testing/test_graph.h"
#include "compute_node/testing/thread_count.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

/// What all iterators of a team give; a list may only grow on one thread.
NeighborLists Collect(ActiveLists& active) {
  NeighborLists lists(kRandomVertices);
#pragma omp parallel
  for (IoIterator it(active); it.has_more();) {
    it.next();
    const absl::Span<const VertexId> neighbors = it.get_neighbors();
    EXPECT_FALSE(neighbors.empty());
    NeighborLists::value_type& list = lists[it.current()];
    list.insert(list.end(), neighbors.begin(), neighbors.end());
  }
  return lists;
}

Bitmap RandomMembers(unsigned seed, unsigned one_of) {
  std::mt19937 random(seed);
  Bitmap members(kRandomVertices);
  for (VertexId v = 0; v < kRandomVertices; ++v) {
    if (random() % one_of == 0) members.Set(v);
  }
  return members;
}

/// Far ratio, slots, compressed, threads, bytes of the far tier's blocks, frames for chunks.
using Placement = std::tuple<double, size_t, bool, int, uint64_t, size_t>;

class IoIteratorTest : public testing::TestWithParam<Placement> {
 protected:
  TestGraphOptions Options() const {
    return {.far_ratio = std::get<0>(GetParam()),
            .slots = std::get<1>(GetParam()),
            .block_bytes = std::get<4>(GetParam()),
            .chunk_frames = std::get<5>(GetParam()),
            .compressed = std::get<2>(GetParam())};
  }

  const ThreadCount threads_{std::get<3>(GetParam())};
};

TEST_P(IoIteratorTest, GivesEveryNeighbourOfEveryActiveVertexOnceAndInOrder) {
  for (unsigned seed = 1; seed < 5; ++seed) {
    const EdgeList edges = RandomEdges(seed);
    TestGraph test_graph(kRandomVertices, edges, Options());
    for (const unsigned one_of : {1u, 1u, 1u, 3u, 1u, 100u, 1000000u}) {  // all, several times
      SCOPED_TRACE(one_of);
      const Bitmap members = RandomMembers(seed, one_of);
      const VertexSubset expected(members);
      for (const Direction direction : {Direction::kOut, Direction::kIn}) {
        ActiveLists active(test_graph.graph(), direction,
                           [&](VertexId v) { return members.Test(v); });
        EXPECT_EQ(active.size(), expected.size());
        EXPECT_EQ(Collect(active), ListsOf(kRandomVertices, edges, direction, &expected));
        EXPECT_TRUE(active.status().ok()) << active.status();
      }
    }
  }
}

TEST_P(IoIteratorTest, SeveralFullIterationsGiveTheSame) {
  const EdgeList edges = RandomEdges(7);
  TestGraph test_graph(kRandomVertices, edges, Options());
  for (int i = 0; i < 5; ++i) {
    ActiveLists active(test_graph.graph(), Direction::kOut, [](VertexId) { return true; });
    EXPECT_EQ(Collect(active), ListsOf(kRandomVertices, edges, Direction::kOut));
  }
}

TEST_P(IoIteratorTest, OneThreadAloneGetsAll) {
  const EdgeList edges = RandomEdges(8);
  TestGraph test_graph(kRandomVertices, edges, Options());
  for (int i = 0; i < 3; ++i) {
    ActiveLists active(test_graph.graph(), Direction::kOut, [](VertexId) { return true; });
    NeighborLists lists(kRandomVertices);
    for (IoIterator it(active); it.has_more();) {
      it.next();
      for (const VertexId v : it.get_neighbors()) lists[it.current()].push_back(v);
    }
    EXPECT_EQ(lists, ListsOf(kRandomVertices, edges, Direction::kOut));
  }
}

TEST_P(IoIteratorTest, AnIteratorThatGoesEarlyEndsTheIterationAndLeavesTheGraphUsable) {
  const EdgeList edges = RandomEdges(9);
  TestGraph test_graph(kRandomVertices, edges, Options());
  for (const unsigned one_of : {1u, 4u}) {
    const Bitmap members = RandomMembers(9, one_of);
    const VertexSubset expected(members);
    const auto is_active = [&](VertexId v) { return members.Test(v); };
    for (int wanted = 0; wanted < 60; ++wanted) {
      {
        ActiveLists active(test_graph.graph(), Direction::kOut, is_active);
        std::atomic<int> taken = 0;
#pragma omp parallel
        for (IoIterator it(active); taken++ < wanted && it.has_more();) it.next();
        EXPECT_TRUE(active.status().ok()) << active.status();
      }
      if (wanted % 3 > 0) continue;  // also several such iterations in a row
      ActiveLists active(test_graph.graph(), Direction::kOut, is_active);
      ASSERT_EQ(Collect(active), ListsOf(kRandomVertices, edges, Direction::kOut, &expected));
    }
  }
}

TEST_P(IoIteratorTest, AThreadThatStopsStopsTheOthers) {
  TestGraph test_graph(kRandomVertices, RandomEdges(10), Options());
  ActiveLists active(test_graph.graph(), Direction::kOut, [](VertexId) { return true; });
  { const IoIterator gone(active); }
  IoIterator other(active);
  EXPECT_FALSE(other.has_more());
  EXPECT_TRUE(active.status().ok());
}

TEST_P(IoIteratorTest, PassesOnTheErrorOfATier) {
  TestGraphOptions options = Options();
  if (options.far_ratio == 0) return;
  options.fail_after = 3;
  TestGraph test_graph(kRandomVertices, RandomEdges(11), options);
  ActiveLists active(test_graph.graph(), Direction::kOut, [](VertexId) { return true; });
  Collect(active);
  EXPECT_EQ(active.status().code(), absl::StatusCode::kUnavailable) << active.status();
}

TEST_P(IoIteratorTest, StopsWhenTheUserAsks) {
  std::atomic<bool> cancelled = false;
  TestGraphOptions options = Options();
  options.cancelled = &cancelled;
  const EdgeList edges = RandomEdges(12);
  TestGraph test_graph(kRandomVertices, edges, options);
  ActiveLists active(test_graph.graph(), Direction::kOut, [](VertexId) { return true; });
  int pieces = 0;
  for (IoIterator it(active); it.has_more();) {
    it.next();
    if (++pieces == 5) cancelled = true;
  }
  EXPECT_EQ(active.status().code(), absl::StatusCode::kCancelled) << active.status();
}

INSTANTIATE_TEST_SUITE_P(Local, IoIteratorTest,
                         testing::Combine(testing::Values(0), testing::Values(1), testing::Bool(),
                                          testing::Values(1, 2, 5), testing::Values(1),
                                          testing::Values(0)));
INSTANTIATE_TEST_SUITE_P(Far, IoIteratorTest,
                         testing::Combine(testing::Values(0.4, 1), testing::Values(1, 2, 4),
                                          testing::Bool(), testing::Values(1, 2, 5),
                                          testing::Values(1, 512), testing::Values(0)));
INSTANTIATE_TEST_SUITE_P(WithFrames, IoIteratorTest,
                         testing::Combine(testing::Values(0.4, 1), testing::Values(1, 4),
                                          testing::Bool(), testing::Values(2), testing::Values(512),
                                          testing::Values(1, 20)));

TEST(IoIterator, ALongListComesInPiecesOfTheSameVertex) {
  EdgeList edges;
  for (VertexId v = 1; v < 100; ++v) edges.emplace_back(0, v);
  TestGraph test_graph(100, edges, {.far_ratio = 1, .slots = 2});  // 16 neighbours each
  ActiveLists active(test_graph.graph(), Direction::kOut, [](VertexId v) { return v == 0; });
  IoIterator it(active);
  VertexId expected = 1;
  int pieces = 0;
  for (; it.has_more(); ++pieces) {
    it.next();
    EXPECT_EQ(it.current(), 0u);
    for (const VertexId v : it.get_neighbors()) EXPECT_EQ(v, expected++);
  }
  EXPECT_EQ(expected, 100u);
  EXPECT_GT(pieces, 1);
}

TEST(IoIterator, DamagedCodesAreDataLossOrOtherNeighbours) {
  int found = 0;
  for (size_t byte = 0; byte < 1500; byte += 7) {
    TestGraph test_graph(kRandomVertices, RandomEdges(3),
                         {.far_ratio = 0.5, .compressed = true, .damaged_code_byte = byte});
    ActiveLists active(test_graph.graph(), Direction::kOut, [](VertexId) { return true; });
    for (IoIterator it(active); it.has_more();) it.next();
    if (active.status().ok()) continue;
    EXPECT_EQ(active.status().code(), absl::StatusCode::kDataLoss);
    ++found;
  }
  EXPECT_GT(found, 0);
}

TEST(IoIterator, ADirectionThatIsNotLoadedIsAnErrorAndHasNoLists) {
  const EdgeList edges = RandomEdges(3);
  TestGraph test_graph(kRandomVertices, edges, {.far_ratio = 0.5, .with_in_edges = false});
  for (const VertexId end : {kRandomVertices, VertexId{3}, kRandomVertices}) {
    ActiveLists in(test_graph.graph(), Direction::kIn, [&](VertexId v) { return v < end; });
    EXPECT_EQ(Collect(in), NeighborLists(kRandomVertices));
    EXPECT_EQ(in.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(in.status().message()), testing::HasSubstr("set GraphUse::in_lists"));
    ActiveLists out(test_graph.graph(), Direction::kOut, [](VertexId) { return true; });
    EXPECT_EQ(Collect(out), ListsOf(kRandomVertices, edges, Direction::kOut));
    EXPECT_TRUE(out.status().ok()) << out.status();
  }
}

TEST(IoIterator, AGraphWithoutVerticesHasNoLists) {
  TestGraph test_graph(0, {});
  ActiveLists active(test_graph.graph(), Direction::kOut, [](VertexId) { return true; });
  IoIterator it(active);
  EXPECT_FALSE(it.has_more());
}

}  // namespace
}  // namespace fargraph
