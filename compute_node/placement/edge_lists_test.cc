#include "compute_node/placement/edge_lists.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compute_node/placement/spread_order.h"
#include "compute_node/tiers/far_space.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(SpreadOrder, HasEachNumberOnceAndNoLargeGapInALongRun) {
  EXPECT_THAT(SpreadOrder(0), ElementsAre());
  EXPECT_THAT(SpreadOrder(6), ElementsAre(0, 4, 2, 1, 5, 3));
  constexpr size_t kCount = 1000, kRun = 100;
  const std::vector<size_t> order = SpreadOrder(kCount);
  std::vector<int> seen(kCount);
  for (const size_t number : order) ++seen.at(number);
  EXPECT_THAT(seen, Each(1));
  for (size_t begin = 0; begin + kRun <= kCount; begin += kRun / 3) {
    std::vector<size_t> run(order.begin() + begin, order.begin() + begin + kRun);
    run.push_back(kCount);
    std::sort(run.begin(), run.end());
    size_t next = 0;
    for (const size_t number : run) {
      EXPECT_LT(number - next, 4 * kCount / kRun) << "in the run from " << begin;
      next = number;
    }
  }
}

/// Of eight chunks with a list each, the fourth local, the others where address(chunk) says.
template <typename Address>
EdgeLists ListsAt(Address&& address) {
  constexpr size_t kChunks = 8;
  static const VertexId local[1] = {0};
  VertexArray<EdgeOffset> index(kChunks + 1, 0);
  for (size_t v = 0; v < kChunks; ++v) index[v + 1] = v + 1;
  ChunkTable chunks(index, sizeof(VertexId), sizeof(VertexId));
  PlacedArray edges = {.element_bytes = sizeof(VertexId)};
  for (size_t chunk = 0; chunk < kChunks; ++chunk) {
    edges.places.push_back({.far_address = address(chunk)});
  }
  edges.places[3].local = reinterpret_cast<const std::byte*>(local);
  return EdgeLists(std::move(index), std::move(chunks), std::move(edges));
}

TEST(EdgeLists, AddsUpTheDegreesOfFewAndOfMany) {
  constexpr VertexId kVertices = 1000;
  constexpr size_t kOnAllCores = size_t{1} << 14;
  VertexArray<EdgeOffset> index(kVertices + 1, 0);
  for (VertexId v = 0; v < kVertices; ++v) index[v + 1] = index[v] + v % 5;
  const EdgeLists lists(std::move(index));
  for (const size_t size : {size_t{0}, size_t{9}, kOnAllCores - 1, kOnAllCores, kOnAllCores + 7}) {
    std::vector<VertexId> vertices(size);
    EdgeOffset expected = 0;
    for (size_t i = 0; i < size; ++i) {
      vertices[i] = i * 7 % kVertices;
      expected += vertices[i] % 5;
    }
    EXPECT_EQ(lists.SumOfDegrees(vertices), expected);
  }
}

TEST(EdgeLists, ChunksOnMemoryNodesComeAsTheyLie) {
  const EdgeLists lists = ListsAt([](size_t chunk) { return chunk * 4; });
  EXPECT_THAT(lists.local_chunks(), ElementsAre(3));
  EXPECT_THAT(lists.far_chunks(), ElementsAre(0, 1, 2, 4, 5, 6, 7));
  EXPECT_FALSE(lists.on_ssds());
}

TEST(EdgeLists, FarChunksComeFromAllPlacesInTurnWhereSomeLieOnSsds) {
  const EdgeLists lists =
      ListsAt([](size_t chunk) { return (chunk == 6 ? kSsdSpace : 0) + chunk * 4; });
  EXPECT_THAT(lists.local_chunks(), ElementsAre(3));
  EXPECT_THAT(lists.far_chunks(), ElementsAre(0, 5, 2, 7, 1, 6, 4));
  EXPECT_TRUE(lists.on_ssds());
}

}  // namespace
}  // namespace fargraph
