#include "algorithms/shortest_distances.h"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>
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

TEST(ShortestDistances, ThreadsThatRelaxAtOnceFindTheLeast) {
  constexpr VertexId kVertices = 1000;
  constexpr int kEdges = 200'000;
  std::mt19937 random(1);
  std::vector<VertexId> targets(kEdges);
  std::vector<float> weights(kEdges);
  std::vector<float> least(kVertices, std::numeric_limits<float>::infinity());
  least[0] = 0;
  for (int i = 0; i < kEdges; ++i) {
    targets[i] = random() % kVertices;
    weights[i] = static_cast<float>(random());
    least[targets[i]] = std::min(least[targets[i]], weights[i]);
  }
  ShortestDistances<float> distances(kVertices, /*delta=*/1);
  distances.BeginAt(0);
  std::vector<int> falls(omp_get_max_threads());
#pragma omp parallel for
  for (int i = 0; i < kEdges; ++i) {
    distances.Relax(0, {&targets[i], 1}, &weights[i], [&](uint64_t, float before, VertexId) {
      EXPECT_GT(before, weights[i]);
      ++falls[omp_get_thread_num()];
    });
  }
  EXPECT_GE(std::accumulate(falls.begin(), falls.end(), 0), static_cast<int>(kVertices) - 1);
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
