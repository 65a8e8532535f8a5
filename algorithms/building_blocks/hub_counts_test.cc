#include "algorithms/building_blocks/hub_counts.h"

#include <omp.h>

#include <utility>
#include <vector>

#include "compute_node/testing/thread_count.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr VertexId kHubVertices = 200'000;

/// Of which the first `hubs` have `degree` edges each, and the others one.
EdgeLists ListsWithHubs(VertexId hubs, EdgeOffset degree) {
  VertexArray<EdgeOffset> index(kHubVertices + 1, 0);
  for (VertexId v = 0; v < kHubVertices; ++v) index[v + 1] = index[v] + (v < hubs ? degree : 1);
  return EdgeLists(std::move(index));
}

TEST(HubCounts, AddUpWhatAllThreadsHaveCounted) {
  const ThreadCount count(5);
  HubCounts counts(ListsWithHubs(100, 1000));
  ASSERT_GE(counts.end(), 100u);
  const auto add = [&] {
#pragma omp parallel
    for (VertexId v = 0; v < counts.end(); v += 3) counts.mine()[v] += 1 + v % 2;
  };
  for (int round = 0; round < 2; ++round) {
    add();
    std::vector<int32_t> taken(counts.end(), 0);
    counts.TakeAll([&](VertexId v, int32_t sum) { taken[v] += sum; });
    for (VertexId v = 0; v < counts.end(); ++v)
      ASSERT_EQ(taken[v], v % 3 == 0 ? 5 * (1 + static_cast<int32_t>(v) % 2) : 0) << v;
  }
}

TEST(HubCounts, WithoutHubsNothingIsCounted) {
  HubCounts counts(ListsWithHubs(10, 100));
  EXPECT_EQ(counts.end(), 0u);
  counts.TakeAll([](VertexId, int32_t) { ADD_FAILURE(); });
}

TEST(HubCounts, OfASmallGraphAllVerticesMayBeHubs) {
  VertexArray<EdgeOffset> index(71, 0);
  for (VertexId v = 0; v < 70; ++v) index[v + 1] = index[v] + 2;
  HubCounts counts{EdgeLists(std::move(index))};
  ASSERT_EQ(counts.end(), 70u);
  counts.mine()[69] = 4;
  VertexId taken = 0;
  counts.TakeAll([&](VertexId v, int32_t sum) {
    EXPECT_EQ(sum, 4);
    taken = v;
  });
  EXPECT_EQ(taken, 69u);
}

}  // namespace
}  // namespace fargraph
