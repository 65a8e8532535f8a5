// What is under way while a thread computes, within a scan and across the end of one.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <vector>

#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/vertex_map.h"
#include "compute_node/testing/random_edges.h"
#include "compute_node/testing/test_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

absl::Status FullScan(Graph& graph) {
  return ForEachList(graph, Direction::kOut, nullptr, [](VertexId, absl::Span<const VertexId>) {});
}

VertexSubset RandomSubset(unsigned seed) {
  std::mt19937 random(seed);
  Bitmap members(kRandomVertices);
  const unsigned one_of = 1 + random() % 60;
  for (VertexId v = 0; v < kRandomVertices; ++v) {
    if (random() % one_of == 0) members.Set(v);
  }
  return VertexSubset(std::move(members));
}

/// Of all threads.
uint64_t RingBytes(const TestGraphOptions& options) {
  return omp_get_max_threads() * options.slots * options.chunk_bytes;
}

/// Full scans of a graph whose edges are all far, in which a list is computed on with a number of
/// further pieces under way: asked for and not handed out yet.
class PiecesUnderWay {
 public:
  explicit PiecesUnderWay(size_t slots)
      : test_graph_(kRandomVertices, RandomEdges(1), {.far_ratio = 1, .slots = slots}),
        threads_(omp_get_max_threads()) {}

  /// Scans everything; of all the lists the least.
  uint64_t LeastOfAScan() {
    for (Thread& thread : threads_) thread.least = ~uint64_t{0};
    const absl::Status status =
        ForEachList(test_graph_.graph(), Direction::kOut, nullptr,
                    [&](VertexId v, absl::Span<const VertexId>) { CountPiece(v); });
    EXPECT_TRUE(status.ok()) << status;
    uint64_t least = ~uint64_t{0};
    for (const Thread& thread : threads_) least = std::min(least, thread.least);
    return least;
  }

 private:
  struct Thread {
    size_t chunk = ~size_t{0};
    VertexId vertex = kNoVertex;
    uint64_t pieces = 0;
    uint64_t least = 0;
  };

  void CountPiece(VertexId v) {
    const int number = omp_get_thread_num();
    Thread& thread = threads_[number];
    const size_t chunk = test_graph_.graph().Lists(Direction::kOut).chunks().Find(v);
    const bool is_next_of_long_list = v == thread.vertex;
    if (chunk != thread.chunk || is_next_of_long_list) ++thread.pieces;
    thread.chunk = chunk;
    thread.vertex = v;
    // A piece of a full scan is one request.
    const uint64_t asked_for = test_graph_.tier(number).traffic().requests;
    thread.least = std::min(thread.least, asked_for - thread.pieces);
  }

  TestGraph test_graph_;
  std::vector<Thread> threads_;
};

TEST(Buffering, AllButOneBufferAreUnderWayWhileThatIsComputedOn) {
  for (const size_t slots : {2, 3, 8}) {
    PiecesUnderWay pieces(slots);
    EXPECT_EQ(pieces.LeastOfAScan(), 0) << "nobody expected a second scan";
    for (int scan = 0; scan < 5; ++scan) EXPECT_EQ(pieces.LeastOfAScan(), slots - 1);
  }
}

TEST(Buffering, ASingleBufferFetchesAndComputesInTurn) {
  TestGraph test_graph(kRandomVertices, RandomEdges(1), {.far_ratio = 0.8, .slots = 1});
  for (int scan = 0; scan < 4; ++scan) {
    std::atomic<int> lists = 0;
    const absl::Status status = ForEachList(
        test_graph.graph(), Direction::kOut, nullptr, [&](VertexId, absl::Span<const VertexId>) {
          if (test_graph.tier(omp_get_thread_num()).in_flight() > 0) ++lists;
        });
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(lists, 0) << "computed on, local ones too, while something was in flight";
  }
  EXPECT_EQ(test_graph.graph().stats().bytes_fetched, test_graph.graph().stats().bytes_useful);
}

TEST(Buffering, OfADeviceNoMoreThanHalfTheBuffersAreUnderWay) {
  for (const size_t slots : {2, 3, 8, 9}) {
    TestGraph test_graph(kRandomVertices, RandomEdges(1),
                         {.far_ratio = 1, .slots = slots, .block_bytes = 16});
    std::vector<size_t> most(omp_get_max_threads());
    for (int scan = 0; scan < 4; ++scan) {
      const absl::Status status = ForEachList(
          test_graph.graph(), Direction::kOut, nullptr, [&](VertexId, absl::Span<const VertexId>) {
            const int thread = omp_get_thread_num();
            most[thread] = std::max(most[thread], test_graph.tier(thread).in_flight());
          });
      ASSERT_TRUE(status.ok()) << status;
    }
    EXPECT_EQ(*std::max_element(most.begin(), most.end()), slots / 2);
  }
}

TEST(Buffering, WhatComesAheadIsFetchedOnce) {
  const TestGraphOptions options = {.far_ratio = 0.8, .slots = 3};
  TestGraph test_graph(kRandomVertices, RandomEdges(2), options);
  Graph& graph = test_graph.graph();
  ASSERT_TRUE(FullScan(graph).ok());
  const uint64_t bytes_of_a_scan = graph.stats().bytes_fetched;
  for (uint64_t scans = 2; scans < 10; ++scans) {
    ASSERT_TRUE(FullScan(graph).ok());
    EXPECT_EQ(graph.stats().bytes_useful, scans * bytes_of_a_scan);
    EXPECT_GT(graph.stats().bytes_fetched, scans * bytes_of_a_scan);
    EXPECT_LE(graph.stats().bytes_fetched, scans * bytes_of_a_scan + RingBytes(options));
  }
}

TEST(Buffering, AScanThatNobodyExpectedCostsARingAndIsRight) {
  const EdgeList edges = RandomEdges(3);
  const TestGraphOptions options = {.far_ratio = 0.8, .slots = 4};
  TestGraph test_graph(kRandomVertices, edges, options);
  Graph& graph = test_graph.graph();
  uint64_t in_vain = 0;
  const VertexSubset some = RandomSubset(3);
  for (const auto& [direction, active] :
       {std::pair{Direction::kIn, static_cast<const VertexSubset*>(nullptr)},
        std::pair{Direction::kOut, &some}, std::pair{Direction::kIn, &some}}) {
    ASSERT_TRUE(FullScan(graph).ok());
    ASSERT_TRUE(FullScan(graph).ok());
    EXPECT_EQ(DeliveredLists(graph, direction, active),
              ListsOf(kRandomVertices, edges, direction, active));
    in_vain += RingBytes(options);
  }
  const StreamStats stats = graph.stats();
  EXPECT_GT(stats.bytes_fetched, stats.bytes_useful);
  const uint64_t block_ends = 3 * 2 * 16 * kRandomVertices;  // of what some vertices need
  EXPECT_LE(stats.bytes_fetched, stats.bytes_useful + in_vain + block_ends);
}

TEST(Buffering, WhatASmallFrontierNeedsOfManyChunksComesAtOnce) {
  constexpr VertexId kFrontier = 12;
  EdgeList edges;
  for (VertexId v = 0; v < kRandomVertices; ++v) {
    for (VertexId i = 0; i < 5; ++i) edges.emplace_back(v, (v + i) % kRandomVertices);
  }
  TestGraph test_graph(kRandomVertices, edges, {.far_ratio = 1, .chunk_bytes = 256});
  std::vector<VertexId> members;
  for (VertexId i = 0; i < kFrontier; ++i) members.push_back(i * (kRandomVertices / kFrontier));
  const VertexSubset frontier(kRandomVertices, members);
  EXPECT_EQ(DeliveredLists(test_graph.graph(), Direction::kOut, &frontier),
            ListsOf(kRandomVertices, edges, Direction::kOut, &frontier));
  EXPECT_EQ(test_graph.tier(0).submissions(), 1u);
  EXPECT_EQ(test_graph.tier(0).traffic().requests, kFrontier);
}

TEST(Buffering, GapsThatAreNarrowOnTheMeanAreReadWithTheWideOnesAmongThem) {
  EdgeList edges;
  for (VertexId v = 0; v < kRandomVertices; ++v) edges.emplace_back(v, kRandomVertices - 1 - v);
  const auto requests_for = [&](auto&& is_active) {
    TestGraph test_graph(kRandomVertices, edges, {.far_ratio = 1, .chunk_bytes = 1 << 20});
    const VertexSubset active = VertexFilter(kRandomVertices, is_active);
    EXPECT_EQ(DeliveredLists(test_graph.graph(), Direction::kOut, &active),
              ListsOf(kRandomVertices, edges, Direction::kOut, &active));
    return test_graph.graph().stats().requests;
  };
  const auto is_even = [](VertexId v) { return v % 2 == 0; };
  EXPECT_EQ(requests_for([&](VertexId v) { return is_even(v) && (v < 50 || v >= 100); }), 1u);
  EXPECT_EQ(requests_for([&](VertexId v) { return is_even(v) && (v < 20 || v >= 480); }), 2u);
  EXPECT_EQ(requests_for([](VertexId v) { return v % 16 == 0; }), (kRandomVertices + 15) / 16);
}

TEST(Buffering, AnyOrderOfScansDeliversEveryNeighbourOnceAndInOrder) {
  for (unsigned seed = 1; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const EdgeList edges = RandomEdges(seed);
    TestGraph test_graph(kRandomVertices, edges,
                         {.far_ratio = (random() % 5) / 4.0,
                          .slots = 1 + random() % 6,
                          .one_by_one = seed % 2 == 0,
                          .block_bytes = seed % 3 == 0 ? 512u : 1u});
    for (int scan = 0; scan < 12; ++scan) {
      const Direction direction = random() % 4 == 0 ? Direction::kIn : Direction::kOut;
      const VertexSubset subset = RandomSubset(random());
      const VertexSubset* active = random() % 3 == 0 ? &subset : nullptr;
      ASSERT_EQ(DeliveredLists(test_graph.graph(), direction, active),
                ListsOf(kRandomVertices, edges, direction, active))
          << "seed " << seed << ", scan " << scan;
    }
  }
}

TEST(Buffering, ListsGivenUpEarlyDoNotConfuseTheNextScan) {
  const EdgeList edges = RandomEdges(5);
  TestGraph test_graph(kRandomVertices, edges, {.far_ratio = 1, .slots = 3});
  Graph& graph = test_graph.graph();
  for (int scan = 0; scan < 10; ++scan) {
    std::vector<int> pieces(kRandomVertices);
    const absl::Status status =
        ForEachList(graph, Direction::kOut, nullptr, [&](VertexId v, absl::Span<const VertexId>) {
          ++pieces[v];
          return v > 1;  // enough of the hubs at their first piece
        });
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(pieces[0], 1);
    EXPECT_EQ(pieces[1], 1);
    EXPECT_EQ(DeliveredLists(graph, Direction::kOut, nullptr),
              ListsOf(kRandomVertices, edges, Direction::kOut, nullptr));
  }
}

TEST(Buffering, AJobMayEndWithAScanUnderWay) {
  std::atomic<bool> cancelled = false;
  TestGraph test_graph(kRandomVertices, RandomEdges(6),
                       {.far_ratio = 1, .slots = 4, .cancelled = &cancelled});
  for (int scan = 0; scan < 3; ++scan) ASSERT_TRUE(FullScan(test_graph.graph()).ok());
  cancelled = true;
  EXPECT_EQ(FullScan(test_graph.graph()).code(), absl::StatusCode::kCancelled);
}

TEST(Buffering, ATierThatFailsWithAScanUnderWayEndsTheNext) {
  TestGraph counted(kRandomVertices, RandomEdges(7), {.far_ratio = 1});
  ASSERT_TRUE(FullScan(counted.graph()).ok());
  ASSERT_TRUE(FullScan(counted.graph()).ok());
  uint64_t requests = ~uint64_t{0};
  for (int thread = 0; thread < omp_get_max_threads(); ++thread) {
    requests = std::min(requests, counted.tier(thread).traffic().requests);
  }
  TestGraph test_graph(kRandomVertices, RandomEdges(7), {.far_ratio = 1, .fail_after = requests});
  absl::Status status;
  for (int scan = 0; scan < 4 && status.ok(); ++scan) status = FullScan(test_graph.graph());
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
}

TEST(Buffering, AScanMayHaveFewerThreadsThanTheOneBefore) {
  constexpr int kThreads = 5;
  const int threads_before = omp_get_max_threads();
  for (unsigned seed = 1; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const EdgeList edges = RandomEdges(seed);
    omp_set_num_threads(kThreads);
    TestGraph test_graph(kRandomVertices, edges, {.far_ratio = 0.9, .slots = 1 + random() % 6});
    const VertexSubset some = RandomSubset(seed);
    for (int scan = 0; scan < 12; ++scan) {
      omp_set_num_threads(static_cast<int>(1 + random() % (kThreads + 1)));
      const VertexSubset* active = random() % 4 == 0 ? &some : nullptr;
      ASSERT_EQ(DeliveredLists(test_graph.graph(), Direction::kOut, active),
                ListsOf(kRandomVertices, edges, Direction::kOut, active))
          << "seed " << seed << ", scan " << scan;
    }
  }
  omp_set_num_threads(threads_before);
}

}  // namespace
}  // namespace fargraph
