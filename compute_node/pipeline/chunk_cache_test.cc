#include "compute_node/pipeline/chunk_cache.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <vector>

#include "absl/algorithm/container.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/vertex_map.h"
#include "compute_node/testing/random_edges.h"
#include "compute_node/testing/test_graph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using testing::ElementsAre;

/// Lists of 16 edges, of which a chunk holds 16, all of them far.
class KeptChunks : public testing::Test {
 protected:
  static constexpr VertexId kPerChunk = 16;
  static constexpr uint64_t kChunkBytes = kPerChunk * kPerChunk * sizeof(VertexId);
  static constexpr VertexId kChunks = 10;

  static EdgeList Edges() {
    EdgeList edges;
    for (VertexId v = 0; v < kChunks * kPerChunk; ++v) {
      for (VertexId i = 1; i <= kPerChunk; ++i) edges.emplace_back(v, (v + i) % kPerChunk);
    }
    return edges;
  }

  /// Walks the lists number `number` of some chunks; returns the bytes that are fetched.
  uint64_t Walk(VertexId number, const std::vector<VertexId>& chunks) {
    std::vector<VertexId> members;
    for (const VertexId chunk : chunks) members.push_back(chunk * kPerChunk + number);
    const VertexSubset active(graph_.vertices(), members);
    return BytesOf(&active);
  }
  uint64_t BytesOf(const VertexSubset* active) {
    const uint64_t before = graph_.stats().bytes_fetched;
    std::atomic<uint64_t> edges = 0;
    const absl::Status status =
        ForEachList(graph_, Direction::kOut, active,
                    [&](VertexId, absl::Span<const VertexId> list) { edges += list.size(); });
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(edges, kPerChunk * (active == nullptr ? graph_.vertices() : active->size()));
    return graph_.stats().bytes_fetched - before;
  }

  TestGraph test_graph_{
      kChunks * kPerChunk,
      Edges(),
      {.far_ratio = 1, .chunk_bytes = kChunkBytes, .with_in_edges = false, .chunk_frames = 2}};
  Graph& graph_ = test_graph_.graph();
};

TEST_F(KeptChunks, AChunkComesAsAWholeOnceItsListsHaveCostAsMuch) {
  const uint64_t list_bytes = kPerChunk * sizeof(VertexId);
  uint64_t fetched = 0;
  VertexId lists = 0;
  for (uint64_t bytes = list_bytes; bytes == list_bytes; fetched += bytes)
    bytes = Walk(lists++, {3});
  EXPECT_EQ(fetched, (lists - 1) * list_bytes + kChunkBytes);
  EXPECT_LT(fetched, 2 * kChunkBytes);  // a request counts as well
  EXPECT_GT(lists, kPerChunk / 2u);
  for (VertexId list = 0; list < kPerChunk; ++list) EXPECT_EQ(Walk(list, {3}), 0u);
}

TEST_F(KeptChunks, WhatRecentWalksHaveUsedStays) {
  const std::vector<VertexId> more_than_frames = {1, 4, 7};
  for (VertexId list = 0; list < kPerChunk; ++list) Walk(list, more_than_frames);
  for (int round = 0; round < 3; ++round) {
    for (VertexId list = 0; list < kPerChunk; ++list)
      EXPECT_EQ(Walk(list, more_than_frames), kPerChunk * sizeof(VertexId)) << "of the third";
  }
}

TEST_F(KeptChunks, WhatNoWalkUsesAnyMoreGoes) {
  for (const VertexId first : {0, 2, 4}) {
    const std::vector<VertexId> window = {first, first + 1};
    for (VertexId list = 0; list < kPerChunk; ++list) Walk(list, window);
    EXPECT_EQ(Walk(0, window), 0u);
  }
  EXPECT_GT(Walk(0, {0, 1}), 0u);
}

TEST_F(KeptChunks, AreNotFetchedByAScanOfAllNorGoForIt) {
  for (VertexId list = 0; list < kPerChunk; ++list) Walk(list, {2, 9});
  EXPECT_EQ(BytesOf(nullptr), (kChunks - 2) * kChunkBytes);
  uint64_t fetched = 0;
  for (int scan = 0; scan < 4; ++scan) fetched += BytesOf(nullptr);
  EXPECT_GE(fetched, 4 * (kChunks - 2) * kChunkBytes);
  EXPECT_LE(fetched, 5 * (kChunks - 2) * kChunkBytes) << "with what was fetched ahead";
  EXPECT_EQ(Walk(5, {2, 9}), 0u);
}

TEST_F(KeptChunks, AreListedWithWhatIsLocal) {
  ChunkCache& cache = *graph_.chunk_cache(graph_.Lists(Direction::kOut));
  EXPECT_FALSE(cache.full());
  for (VertexId list = 0; list < kPerChunk; ++list) Walk(list, {2, 9});
  cache.ListChunks();
  EXPECT_THAT(cache.at_hand(), testing::UnorderedElementsAre(2, 9));
  EXPECT_THAT(cache.elsewhere(), ElementsAre(0, 1, 3, 4, 5, 6, 7, 8));
  EXPECT_TRUE(cache.full());
}

class KeptWalksTest : public testing::TestWithParam<WalkPlacement> {};

/// Few vertices, many or all, some of them more often than others.
VertexSubset AnySubset(std::mt19937& random) {
  const unsigned one_of = 1u << random() % 8;
  const VertexId begin = random() % 4 * 50;
  return VertexFilter(kRandomVertices, [&](VertexId v) {
    return v >= begin && v < begin + 250 && (v * 2654435761u >> 7) % one_of == 0;
  });
}

TEST_P(KeptWalksTest, EveryWalkGetsItsListsOnceWhateverIsKept) {
  for (unsigned seed = 1; seed < 3; ++seed) {
    const EdgeList edges = RandomEdges(seed);
    TestGraph test_graph(kRandomVertices, edges, OptionsOf(GetParam()));
    std::mt19937 random(seed);
    for (int walk = 0; walk < 50; ++walk) {
      const VertexSubset subset = AnySubset(random);
      const VertexSubset* active = random() % 5 == 0 ? nullptr : &subset;
      ASSERT_EQ(DeliveredLists(test_graph.graph(), Direction::kOut, active),
                ListsOf(kRandomVertices, edges, Direction::kOut, active))
          << walk;
    }
  }
}

TEST_P(KeptWalksTest, WeightsStayWithTheirEdges) {
  TestGraphOptions options = OptionsOf(GetParam());
  options.compressed = false;
  options.weight_type = WeightType::kInt32;
  const EdgeList edges = RandomEdges(5);
  const auto weight_of = [](VertexId source, VertexId target) { return source * 1000 + target; };
  for (const auto& [source, target] : edges)
    options.weight_bits.push_back(weight_of(source, target));
  TestGraph test_graph(kRandomVertices, edges, options);
  std::mt19937 random(5);
  for (int walk = 0; walk < 50; ++walk) {
    const VertexSubset active = AnySubset(random);
    std::atomic<uint64_t> wrong = 0;
    const absl::Status status = ForEachWeightedList<int32_t>(
        test_graph.graph(), Direction::kOut, &active,
        [&](VertexId v, absl::Span<const VertexId> neighbors, auto weights) {
          for (size_t i = 0; i < neighbors.size(); ++i)
            wrong += static_cast<uint32_t>(weights[i]) != weight_of(v, neighbors[i]);
        });
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(wrong, 0u) << walk;
  }
}

INSTANTIATE_TEST_SUITE_P(Placements, KeptWalksTest,
                         testing::Combine(testing::Values(0.5, 1), testing::Values(1, 2, 5),
                                          testing::Bool(), testing::Values(1, 512),
                                          testing::Values(1, 8, 1000)));

TEST(ChunkCache, AFailedTierIsAnErrorOfTheWalk) {
  for (uint64_t fail_after = 0; fail_after < 40; ++fail_after) {
    TestGraph test_graph(kRandomVertices, RandomEdges(6),
                         {.far_ratio = 1, .fail_after = fail_after, .chunk_frames = 5});
    std::mt19937 random(fail_after);
    absl::Status status;
    for (int walk = 0; walk < 200 && status.ok(); ++walk) {
      const VertexSubset active = AnySubset(random);
      status = ForEachList(test_graph.graph(), Direction::kOut, &active,
                           [](VertexId, absl::Span<const VertexId>) {});
    }
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  }
}

TEST(ChunkCache, TakesNoMoreThanItsBytes) {
  constexpr uint64_t kFrameBytes = 66048;
  uint64_t last = 0;
  for (uint64_t bytes = 0; bytes < 20 * kFrameBytes; bytes += 1000) {
    const uint64_t frames = ChunkCache::FramesWithin(bytes, kFrameBytes, /*chunks=*/100);
    EXPECT_LE(frames * kFrameBytes, bytes);
    EXPECT_GE((frames + 2) * kFrameBytes, bytes);
    EXPECT_GE(frames, last);
    last = frames;
  }
  EXPECT_EQ(ChunkCache::FramesWithin(1000 * kFrameBytes, kFrameBytes, /*chunks=*/100), 100u);
}

}  // namespace
}  // namespace fargraph
