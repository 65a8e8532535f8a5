#include "compute_node/engine/for_each_list.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compute_node/engine/vertex_map.h"
#include "compute_node/testing/random_edges.h"
#include "compute_node/testing/test_graph.h"
#include "gmock/gmock.h"
#include "graph/codec/block_codec.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

class ListScanTest : public testing::TestWithParam<WalkPlacement> {
 protected:
  TestGraphOptions Options() const { return OptionsOf(GetParam()); }
  /// The same for graphs with weights.
  TestGraphOptions RawOptions() const {
    TestGraphOptions options = Options();
    options.compressed = false;
    return options;
  }
};

TEST_P(ListScanTest, DeliversEveryNeighbourOfEveryActiveVertexOnceAndInOrder) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    const EdgeList edges = RandomEdges(seed);
    TestGraph test_graph(kRandomVertices, edges, Options());
    std::mt19937 random(seed);
    Bitmap members(kRandomVertices);
    for (VertexId v = 0; v < kRandomVertices; ++v) {
      if (v < 2 || random() % 7 == 0) members.Set(v);
    }
    const VertexSubset some(std::move(members));

    for (const VertexSubset* active : {static_cast<const VertexSubset*>(nullptr), &some}) {
      EXPECT_EQ(DeliveredLists(test_graph.graph(), Direction::kOut, active),
                ListsOf(kRandomVertices, edges, Direction::kOut, active));
    }
  }
}

/// Takes lists by runs and in pieces.
struct RunCollector {
  NeighborLists delivered = NeighborLists(kRandomVertices);
  std::atomic<size_t> runs = 0;

  void Take(VertexId v, absl::Span<const VertexId> neighbors) {
    delivered[v].insert(delivered[v].end(), neighbors.begin(), neighbors.end());
  }
  void Take(const ListRun& run) {
    ++runs;
    for (size_t i = 0; i < run.size(); ++i) {
      const EdgeOffset begin = run.index[i] - run.index[0];
      Take(run.first_vertex + i, {run.edges + begin, run.index[i + 1] - run.index[i]});
    }
  }
};

/// Of a thread.
struct RunsAndPieces {
  RunCollector& collector;

  void operator()(const ListRun& run) { collector.Take(run); }
  void operator()(VertexId v, absl::Span<const VertexId> neighbors, const std::byte*) {
    collector.Take(v, neighbors);
  }
};

TEST_P(ListScanTest, RunsAndPiecesAreAllListsOnce) {
  const EdgeList edges = RandomEdges(7);
  TestGraph test_graph(kRandomVertices, edges, Options());
  RunCollector collector;
  const absl::Status status = ScanLists(test_graph.graph(), Direction::kOut, /*active=*/nullptr,
                                        [&] { return RunsAndPieces{collector}; });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(collector.delivered, ListsOf(kRandomVertices, edges, Direction::kOut));
  EXPECT_EQ(collector.runs > 0, !Options().compressed);
}

TEST_P(ListScanTest, VerticesAreChosenOnceAndBeforeTheirTails) {
  constexpr EdgeOffset kSkip = 3;
  const EdgeList edges = RandomEdges(8);
  TestGraph test_graph(kRandomVertices, edges, Options());
  const NeighborLists lists = ListsOf(kRandomVertices, edges, Direction::kOut);

  VertexSubset chosen{Bitmap(kRandomVertices)};
  std::vector<int> asked(kRandomVertices);
  NeighborLists expected(kRandomVertices), delivered(kRandomVertices);
  const auto wants = [](VertexId v) { return v % 5 != 2; };
  const absl::Status status = ForEachChosenTail(
      test_graph.graph(), Direction::kOut, chosen, kSkip,
      [&](VertexId begin, VertexId end) {
        for (VertexId v = begin; v < end; ++v) ++asked[v];
        chosen.AddUncountedIf(begin, end, wants);
      },
      [&](VertexId v, absl::Span<const VertexId> neighbors) {
        delivered[v].insert(delivered[v].end(), neighbors.begin(), neighbors.end());
      });
  ASSERT_TRUE(status.ok()) << status;
  for (VertexId v = 0; v < kRandomVertices; ++v) {
    EXPECT_LE(asked[v], 1) << v;
    if (lists[v].empty()) continue;
    EXPECT_EQ(asked[v], 1) << v;
    const size_t skipped = std::min<size_t>(kSkip, lists[v].size());
    if (wants(v)) expected[v].assign(lists[v].begin() + skipped, lists[v].end());
  }
  EXPECT_EQ(delivered, expected);
}

TEST(ListScan, NobodyIsChosenBehindTheLastList) {
  TestGraph test_graph(kRandomVertices, {{3, 7}, {4, 1}, {5, 2}}, {.far_ratio = 1});
  VertexSubset chosen{Bitmap(kRandomVertices)};
  std::atomic<VertexId> last = 0;
  const absl::Status status = ForEachChosenTail(
      test_graph.graph(), Direction::kOut, chosen, /*skip=*/0,
      [&](VertexId, VertexId end) { last = end; },
      [](VertexId v, absl::Span<const VertexId>) { ADD_FAILURE() << v << " was not chosen"; });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(last, 6u);
}

/// Has enough of the hubs 0 and 1 at their first piece.
struct EnoughOfHubs {
  std::vector<int> pieces = std::vector<int>(kRandomVertices);
  std::vector<uint64_t> delivered = std::vector<uint64_t>(kRandomVertices);

  bool Add(VertexId v, absl::Span<const VertexId> neighbors) {
    ++pieces[v];
    delivered[v] += neighbors.size();
    return v > 1;
  }

  void ExpectAllButHubs(const Graph& graph) const {
    EXPECT_EQ(pieces[0], 1);
    EXPECT_EQ(pieces[1], 1);
    for (VertexId v = 2; v < kRandomVertices; ++v) EXPECT_EQ(delivered[v], graph.OutDegree(v)) << v;
  }
};

TEST_P(ListScanTest, EnoughOfAListEndsItAndNoOther) {
  TestGraph test_graph(kRandomVertices, RandomEdges(9), Options());
  EnoughOfHubs counts;
  const absl::Status status = ForEachList(
      test_graph.graph(), Direction::kOut, nullptr,
      [&](VertexId v, absl::Span<const VertexId> neighbors) { return counts.Add(v, neighbors); });
  ASSERT_TRUE(status.ok()) << status;
  counts.ExpectAllButHubs(test_graph.graph());
}

/// A target and the bits of its edge's weight.
using WeightedTarget = std::pair<VertexId, uint32_t>;

/// Weights that tell every edge from every other.
std::vector<uint32_t> WeightBits(const EdgeList& edges) {
  std::vector<uint32_t> weight_bits(edges.size());
  for (size_t i = 0; i < edges.size(); ++i) weight_bits[i] = std::bit_cast<uint32_t>(i + 0.5f);
  return weight_bits;
}

/// What a scan delivers, the bits of each weight as of Weight.
template <typename Weight>
std::vector<std::vector<WeightedTarget>> WeightedLists(Graph& graph, Direction direction,
                                                       const VertexSubset* active) {
  std::vector<std::vector<WeightedTarget>> delivered(kRandomVertices);
  const absl::Status status = ForEachWeightedList<Weight>(
      graph, direction, active,
      [&](VertexId v, absl::Span<const VertexId> neighbors, auto weights) {
        ASSERT_EQ(neighbors.size(), weights.size());
        for (size_t i = 0; i < neighbors.size(); ++i) {
          const Weight weight = weights[i];
          delivered[v].emplace_back(neighbors[i], std::bit_cast<uint32_t>(weight));
        }
      });
  EXPECT_TRUE(status.ok()) << status;
  return delivered;
}

TEST_P(ListScanTest, DeliversEveryWeightWithItsNeighbour) {
  for (const WeightType type : {WeightType::kInt32, WeightType::kFloat32, WeightType::kUint8}) {
    const EdgeList edges = RandomEdges(static_cast<unsigned>(type));
    TestGraphOptions options = RawOptions();
    options.weight_type = type;
    options.weight_bits = WeightBits(edges);
    if (type == WeightType::kUint8) {
      for (uint32_t& bits : options.weight_bits) bits = (&bits - options.weight_bits.data()) % 256;
    }
    TestGraph test_graph(kRandomVertices, edges, options);
    const VertexSubset some = VertexFilter(kRandomVertices, [](VertexId v) { return v % 5 < 2; });
    for (const VertexSubset* active : {static_cast<const VertexSubset*>(nullptr), &some}) {
      for (const Direction direction : {Direction::kOut, Direction::kIn}) {
        std::vector<std::vector<WeightedTarget>> expected(kRandomVertices);
        for (size_t i = 0; i < edges.size(); ++i) {
          auto [v, neighbor] = edges[i];
          if (direction == Direction::kIn) std::swap(v, neighbor);
          if (active == nullptr || active->Contains(v))
            expected[v].emplace_back(neighbor, options.weight_bits[i]);
        }
        for (auto& list : expected) std::sort(list.begin(), list.end());
        Graph& graph = test_graph.graph();
        const auto delivered = type == WeightType::kFloat32
                                   ? WeightedLists<float>(graph, direction, active)
                                   : WeightedLists<int32_t>(graph, direction, active);
        EXPECT_EQ(delivered, expected);
      }
    }
  }
}

TEST_P(ListScanTest, EnoughOfAWeightedListEndsItAndNoOther) {
  const EdgeList edges = RandomEdges(9);
  for (const bool stored : {true, false}) {
    TestGraphOptions options = stored ? RawOptions() : Options();
    if (stored) options.weight_bits = WeightBits(edges);
    TestGraph test_graph(kRandomVertices, edges, options);
    EnoughOfHubs counts;
    const absl::Status status =
        ForEachWeightedList<int32_t>(test_graph.graph(), Direction::kOut, nullptr,
                                     [&](VertexId v, absl::Span<const VertexId> neighbors, auto) {
                                       return counts.Add(v, neighbors);
                                     });
    ASSERT_TRUE(status.ok()) << status;
    counts.ExpectAllButHubs(test_graph.graph());
  }
}

INSTANTIATE_TEST_SUITE_P(Local, ListScanTest,
                         testing::Combine(testing::Values(0.0), testing::Values(1), testing::Bool(),
                                          testing::Values(1), testing::Values(0)));
INSTANTIATE_TEST_SUITE_P(Far, ListScanTest,
                         testing::Combine(testing::Values(0.5, 0.8, 1.0), testing::Values(1, 2, 7),
                                          testing::Bool(), testing::Values(1, 512, 4096),
                                          testing::Values(0)));
INSTANTIATE_TEST_SUITE_P(WithFrames, ListScanTest,
                         testing::Combine(testing::Values(0.5, 1.0), testing::Values(1, 2, 7),
                                          testing::Bool(), testing::Values(512),
                                          testing::Values(9)));

TEST(ListScan, BlocksOfCodeThatPiecesCutArriveWhole) {
  std::mt19937 random(1);
  EdgeList edges;
  for (size_t i = 0; i < 3 * kBlockEdges + 7; ++i)
    edges.emplace_back(1, random() % kRandomVertices);
  std::vector<VertexId> expected;
  for (const auto& [source, target] : edges) expected.push_back(target);
  std::sort(expected.begin(), expected.end());
  for (uint64_t chunk_bytes = 64; chunk_bytes < 3000; chunk_bytes += 16) {
    TestGraph test_graph(kRandomVertices, edges,
                         {.far_ratio = 1, .chunk_bytes = chunk_bytes, .compressed = true});
    for (const EdgeOffset skip : {EdgeOffset{0}, EdgeOffset{kBlockEdges + 5}}) {
      std::vector<VertexId> delivered;
      VertexSubset hub{Bitmap(kRandomVertices)};
      const absl::Status status = ForEachChosenTail(
          test_graph.graph(), Direction::kOut, hub, skip,
          [&](VertexId begin, VertexId end) {
            hub.AddUncountedIf(begin, end, [](VertexId v) { return v == 1; });
          },
          [&](VertexId, absl::Span<const VertexId> neighbors) {
            delivered.insert(delivered.end(), neighbors.begin(), neighbors.end());
          });
      ASSERT_TRUE(status.ok()) << status;
      ASSERT_TRUE(
          std::equal(delivered.begin(), delivered.end(), expected.begin() + skip, expected.end()))
          << chunk_bytes;
    }
  }
}

TEST(ListScan, DamagedCodesAreDataLossOrOtherNeighbours) {
  const EdgeList edges = RandomEdges(3);
  int found = 0;
  for (size_t byte = 0; byte < 1500; byte += 7) {
    TestGraph test_graph(kRandomVertices, edges,
                         {.far_ratio = 0.5, .compressed = true, .damaged_code_byte = byte});
    const absl::Status status = ForEachList(test_graph.graph(), Direction::kOut, nullptr,
                                            [](VertexId, absl::Span<const VertexId>) {});
    if (status.ok()) continue;
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("Decoding the neighbours of"));
    ++found;
  }
  EXPECT_GT(found, 0);
}

TEST(ListScan, CountsWhatItFetched) {
  TestGraph test_graph(kRandomVertices, RandomEdges(4), {.far_ratio = 1});
  Graph& graph = test_graph.graph();
  ASSERT_TRUE(
      ForEachList(graph, Direction::kOut, nullptr, [](VertexId, absl::Span<const VertexId>) {
      }).ok());
  EXPECT_EQ(graph.stats().bytes_fetched, 3000 * sizeof(VertexId));
  EXPECT_EQ(graph.stats().bytes_useful, 3000 * sizeof(VertexId));

  const VertexSubset one = VertexSubset::Single(kRandomVertices, 77);
  const StreamStats before = graph.stats();
  ASSERT_TRUE(
      ForEachList(graph, Direction::kOut, &one, [](VertexId, absl::Span<const VertexId>) {}).ok());
  EXPECT_EQ(graph.stats().bytes_useful - before.bytes_useful,
            graph.OutDegree(77) * sizeof(VertexId));
  EXPECT_LE(graph.stats().bytes_fetched - before.bytes_fetched,
            graph.OutDegree(77) * sizeof(VertexId) + 32);
}

TEST(ListScan, CountsTheWeightsThatItFetched) {
  const EdgeList edges = RandomEdges(4);
  for (const WeightType type : {WeightType::kInt32, WeightType::kUint8}) {
    const uint64_t edge_bytes = sizeof(VertexId) + WeightBytes(type);
    TestGraph test_graph(kRandomVertices, edges,
                         {.far_ratio = 1, .weight_type = type, .weight_bits = WeightBits(edges)});
    Graph& graph = test_graph.graph();
    const auto ignore = [](VertexId, absl::Span<const VertexId>, auto) {};
    ASSERT_TRUE(ForEachWeightedList<int32_t>(graph, Direction::kOut, nullptr, ignore).ok());
    EXPECT_EQ(graph.stats().bytes_fetched, 3000 * edge_bytes);
    EXPECT_EQ(graph.stats().bytes_useful, 3000 * edge_bytes);

    const VertexSubset one = VertexSubset::Single(kRandomVertices, 77);
    const StreamStats before = graph.stats();
    ASSERT_TRUE(ForEachWeightedList<int32_t>(graph, Direction::kOut, &one, ignore).ok());
    EXPECT_EQ(graph.stats().bytes_useful - before.bytes_useful, graph.OutDegree(77) * edge_bytes);
    EXPECT_LE(graph.stats().bytes_fetched - before.bytes_fetched,
              graph.OutDegree(77) * edge_bytes + 64);
  }
}

TEST(ListScan, WithoutStoredWeightsEveryEdgeHasWeightOne) {
  constexpr VertexId kLeaves = 5000;  // more than one piece of ones
  EdgeList star;
  for (VertexId leaf = 1; leaf <= kLeaves; ++leaf) star.emplace_back(0, leaf);
  TestGraph test_graph(kLeaves + 1, star, {.chunk_bytes = 1 << 16});
  int64_t sum = 0;
  std::vector<VertexId> leaves;
  const absl::Status status = ForEachWeightedList<int32_t>(
      test_graph.graph(), Direction::kOut, nullptr,
      [&](VertexId, absl::Span<const VertexId> neighbors, auto weights) {
        ASSERT_EQ(neighbors.size(), weights.size());
        leaves.insert(leaves.end(), neighbors.begin(), neighbors.end());
        for (const int32_t weight : weights) sum += weight;
      });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(sum, kLeaves);
  ASSERT_EQ(leaves.size(), kLeaves);
  for (VertexId i = 0; i < kLeaves; ++i) EXPECT_EQ(leaves[i], i + 1);
}

TEST(ListScan, ActiveVerticesWithoutEdgesFetchNothing) {
  EdgeList edges;
  for (VertexId v = 0; v < kRandomVertices; v += 2) edges.emplace_back(v, v / 2);
  TestGraph test_graph(kRandomVertices, edges, {.far_ratio = 1});
  const VertexSubset odd = VertexFilter(kRandomVertices, [](VertexId v) { return v % 2 == 1; });
  int lists = 0;
  const absl::Status status = ForEachList(test_graph.graph(), Direction::kOut, &odd,
                                          [&](VertexId, absl::Span<const VertexId>) { ++lists; });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(lists, 0);
  EXPECT_EQ(test_graph.graph().stats().requests, 0u);
}

TEST(ListScan, ADirectionThatIsNotLoadedIsAnErrorAndWalksNothing) {
  TestGraph test_graph(kRandomVertices, RandomEdges(2), {.far_ratio = 0.5, .with_in_edges = false});
  Graph& graph = test_graph.graph();
  const VertexSubset one = VertexSubset::Single(kRandomVertices, 77);
  int lists = 0;
  for (const VertexSubset* active : {static_cast<const VertexSubset*>(nullptr), &one}) {
    const absl::Status status = ForEachList(graph, Direction::kIn, active,
                                            [&](VertexId, absl::Span<const VertexId>) { ++lists; });
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("set GraphUse::in_lists"));
    EXPECT_EQ(
        ForEachWeightedList<int32_t>(graph, Direction::kIn, active,
                                     [&](VertexId, absl::Span<const VertexId>, auto) { ++lists; })
            .code(),
        absl::StatusCode::kFailedPrecondition);
  }
  EXPECT_EQ(lists, 0);
}

TEST(ListScan, AFailedTierEndsTheScanWithItsError) {
  TestGraph test_graph(kRandomVertices, RandomEdges(2), {.far_ratio = 0.8, .fail_after = 5});
  const absl::Status status = ForEachList(test_graph.graph(), Direction::kOut, nullptr,
                                          [](VertexId, absl::Span<const VertexId>) {});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
}

TEST(ListScan, AfterAFailedTierAllScansEndWithItsError) {
  for (const size_t slots : {1, 4}) {
    TestGraph test_graph(kRandomVertices, RandomEdges(2),
                         {.far_ratio = 0.8, .slots = slots, .fail_after = 5});
    for (const Direction direction : {Direction::kOut, Direction::kOut, Direction::kIn}) {
      const absl::Status status = ForEachList(test_graph.graph(), direction, nullptr,
                                              [](VertexId, absl::Span<const VertexId>) {});
      EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    }
  }
}

TEST(ListScan, AScanAfterOneThatFoundADamagedListIsWhole) {
  const EdgeList edges = RandomEdges(4);
  const VertexSubset others = VertexFilter(kRandomVertices, [](VertexId v) { return v > 2; });
  int found = 0;
  for (size_t byte = 0; byte < 200; byte += 7) {  // of the hubs' lists, which the others are not
    TestGraph test_graph(kRandomVertices, edges,
                         {.far_ratio = 0.8, .compressed = true, .damaged_code_byte = byte});
    const absl::Status status = ForEachList(test_graph.graph(), Direction::kOut, nullptr,
                                            [](VertexId, absl::Span<const VertexId>) {});
    found += absl::IsDataLoss(status);
    EXPECT_EQ(DeliveredLists(test_graph.graph(), Direction::kOut, &others),
              ListsOf(kRandomVertices, edges, Direction::kOut, &others));
  }
  EXPECT_GT(found, 0);
}

TEST(ListScan, StopsWhenTheUserAsks) {
  std::atomic<bool> cancelled = false;
  TestGraph test_graph(kRandomVertices, RandomEdges(2),
                       {.far_ratio = 0.5, .cancelled = &cancelled});
  std::atomic<int> calls = 0;
  const absl::Status status = ForEachList(test_graph.graph(), Direction::kOut, nullptr,
                                          [&](VertexId, absl::Span<const VertexId>) {
                                            ++calls;
                                            cancelled = true;
                                          });
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_LT(calls, 300);
}

TEST_P(ListScanTest, AWalkAfterOneThatWasCancelledIsWhole) {
  std::atomic<bool> cancelled = false;
  TestGraphOptions options = Options();
  options.cancelled = &cancelled;
  const EdgeList edges = RandomEdges(9);
  TestGraph test_graph(kRandomVertices, edges, options);
  for (const Direction direction : {Direction::kOut, Direction::kIn, Direction::kOut}) {
    std::atomic<int> calls = 0;
    const absl::Status status = ForEachList(test_graph.graph(), Direction::kOut, nullptr,
                                            [&](VertexId, absl::Span<const VertexId>) {
                                              if (++calls == 20) cancelled = true;
                                            });
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
    cancelled = false;
    EXPECT_EQ(DeliveredLists(test_graph.graph(), direction, nullptr),
              ListsOf(kRandomVertices, edges, direction));
  }
}

}  // namespace
}  // namespace fargraph
