#include "algorithms/building_blocks/shortest_distances.h"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using Found = std::tuple<uint64_t, uint32_t, VertexId>;  // bucket, distance before, vertex

TEST(ShortestDistances, TellsOfEachDistanceThatFalls) {
  ShortestDistances<int32_t> distances(/*vertices=*/4, /*delta=*/10);
  constexpr uint32_t kUnreached = SumsOf<int32_t>::kUnreached;
  std::vector<Found> found;
  const auto relax = [&](VertexId v, std::vector<VertexId> neighbors,
                         std::vector<int32_t> weights) {
    found.clear();
    distances.Relax(v, neighbors, absl::MakeConstSpan(weights),
                    [&](uint64_t bucket, uint32_t before, VertexId w) {
                      found.emplace_back(bucket, before, w);
                    });
    return found;
  };
  distances.BeginAt(0);
  EXPECT_EQ(relax(0, {1, 2}, {25, 9}),
            (std::vector<Found>{{2, kUnreached, 1}, {0, kUnreached, 2}}));
  EXPECT_EQ(relax(2, {0, 1, 3}, {0, 7, 3}), (std::vector<Found>{{1, 25, 1}, {1, kUnreached, 3}}));
  EXPECT_EQ(relax(2, {1, 3}, {7, 3}), std::vector<Found>());
  const VertexArray<int32_t> column = distances.Take();
  EXPECT_TRUE(std::ranges::equal(column, std::vector<int32_t>{0, 16, 9, 12}));
}

TEST(ShortestDistances, ThreadsThatRelaxAtOnceLowerEachDistanceOnce) {
  constexpr VertexId kVertices = 10;
  constexpr int kEdges = 200'000;
  std::mt19937 random(1);
  std::vector<VertexId> targets(kEdges);
  std::vector<float> weights(kEdges);
  std::vector<float> least(kVertices, std::numeric_limits<float>::infinity());
  least[0] = 0;
  for (int i = 0; i < kEdges; ++i) {  // nearly every edge is shorter than those before
    targets[i] = 1 + random() % (kVertices - 1);
    weights[i] = static_cast<float>(kEdges - i);
    least[targets[i]] = weights[i];
  }
  ShortestDistances<float> distances(kVertices, /*delta=*/1);
  distances.BeginAt(0);
  using Lowered = std::pair<VertexId, float>;  // from that distance
  std::vector<std::vector<Lowered>> found(omp_get_max_threads());
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < kEdges; ++i) {
    distances.Relax(0, {&targets[i], 1}, &weights[i], [&](uint64_t, float before, VertexId v) {
      EXPECT_GT(before, weights[i]);
      found[omp_get_thread_num()].emplace_back(v, before);
    });
  }
  std::vector<Lowered> all;
  for (const auto& mine : found) all.insert(all.end(), mine.begin(), mine.end());
  std::sort(all.begin(), all.end());
  EXPECT_TRUE(std::adjacent_find(all.begin(), all.end()) == all.end()) << "twice from the same";
  EXPECT_GE(all.size(), kVertices - 1);
  EXPECT_TRUE(std::ranges::equal(distances.Take(), least));
}

TEST(ShortestDistances, WhatIsTooFarIsNotFound) {
  ShortestDistances<int32_t> distances(/*vertices=*/3, /*delta=*/1);
  distances.BeginAt(0);
  const VertexId neighbors[] = {1, 2};
  const int32_t longest = std::numeric_limits<int32_t>::max();
  int found = 0;
  const auto count = [&](uint64_t, uint32_t, VertexId) { ++found; };
  const auto relax = [&](VertexId v, VertexId w, int32_t weight) {
    distances.Relax(v, {&neighbors[w - 1], 1}, &weight, count);
  };
  relax(0, 1, longest);
  EXPECT_EQ(found, 1);
  EXPECT_TRUE(distances.CheckDistances().ok());
  relax(1, 2, 1);
  EXPECT_EQ(found, 1) << "nobody goes on from there";
  EXPECT_EQ(distances.CheckDistances().code(), absl::StatusCode::kInvalidArgument);
  relax(0, 2, 5);
  EXPECT_TRUE(distances.CheckDistances().ok()) << "there was a shorter way";
}

}  // namespace
}  // namespace fargraph
