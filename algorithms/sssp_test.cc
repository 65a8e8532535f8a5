#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int32_t kLargest = std::numeric_limits<int32_t>::max();
constexpr float kLargestFloat = std::numeric_limits<float>::max();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

GraphCase Weighted(VertexId vertices, EdgeList edges, const std::vector<int32_t>& weights) {
  GraphCase graph{"", vertices, std::move(edges), WeightType::kInt32};
  for (const int32_t weight : weights) graph.weight_bits.push_back(std::bit_cast<uint32_t>(weight));
  return graph;
}

GraphCase FloatWeighted(VertexId vertices, EdgeList edges, const std::vector<float>& weights) {
  GraphCase graph{"", vertices, std::move(edges), WeightType::kFloat32};
  for (const float weight : weights) graph.weight_bits.push_back(std::bit_cast<uint32_t>(weight));
  return graph;
}

/// Distances by relaxing every edge until nothing changes.
template <typename Weight>
std::vector<Weight> RelaxedSums(const GraphCase& graph, VertexId source, Weight unreached) {
  std::vector<Weight> distances(graph.vertices, unreached);
  distances[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < graph.edges.size(); ++i) {
      const auto& [u, v] = graph.edges[i];
      const Weight weight =
          graph.weight_bits.empty() ? 1 : std::bit_cast<Weight>(graph.weight_bits[i]);
      if (distances[u] == unreached) continue;
      if (distances[v] != unreached && distances[v] <= distances[u] + weight) continue;
      distances[v] = distances[u] + weight;
      changed = true;
    }
  }
  return distances;
}

void ExpectDistances(const GraphCase& graph, VertexId source, const KernelResult& result) {
  if (graph.weight_type == WeightType::kFloat32) {
    EXPECT_EQ(Values<float>(result), RelaxedSums<float>(graph, source, kInfinity));
  } else {
    EXPECT_EQ(Values<int32_t>(result), RelaxedSums<int32_t>(graph, source, -1));
  }
}

TEST(Sssp, FindsDistancesFromAnySource) {
  for (const GraphCase& graph : AllCases()) {
    for (const TestGraphOptions& placement : Placements()) {
      for (const VertexId source : {VertexId{0}, graph.vertices / 2, graph.vertices - 1}) {
        SCOPED_TRACE(absl::StrCat(graph.name, " from ", source, ", ", placement.far_ratio, " far"));
        const auto result = RunKernel("sssp", graph, placement, {.source = source});
        ASSERT_TRUE(result.ok()) << result.status();
        ExpectDistances(graph, source, *result);
      }
    }
  }
}

TEST(Sssp, NoDeltaChangesADistance) {
  for (const WeightType type : {WeightType::kInt32, WeightType::kFloat32}) {
    const GraphCase graph = WithRandomWeights(RandomCase(5, 500, 3000, /*symmetric=*/false), type);
    for (const double delta : {1e-3, 1.0, 3.0, 20.0, 1e5, 1e300}) {
      SCOPED_TRACE(absl::StrCat(graph.name, ", delta ", delta));
      const auto result =
          RunKernel("sssp", graph, {.far_ratio = 0.5}, {.source = 0, .delta = delta});
      ASSERT_TRUE(result.ok()) << result.status();
      ExpectDistances(graph, 0, *result);
    }
  }
}

TEST(Sssp, StepsOfAnySizeAndAnyNumberOfThreadsFindTheSame) {
  // Steps of few vertices, of many, and of a good part of the graph.
  for (const WeightType type : {WeightType::kInt32, WeightType::kFloat32}) {
    const GraphCase graph =
        WithRandomWeights(RandomCase(6, 20'000, 120'000, /*symmetric=*/false), type);
    for (const int threads : {1, 2, 7}) {
      const ThreadCount count(threads);
      for (const TestGraphOptions& placement : Placements()) {
        const auto result = RunKernel("sssp", graph, placement, {.source = 1});
        ASSERT_TRUE(result.ok()) << result.status();
        ExpectDistances(graph, 1, *result);
      }
    }
  }
}

TEST(Sssp, ALongChainOfLightAndHeavyEdges) {
  constexpr VertexId kVertices = 3000;
  std::vector<int32_t> weights(kVertices - 1);
  for (VertexId v = 0; v + 1 < kVertices; ++v) weights[v] = v % 2 == 0 ? 0 : 100'000;
  const GraphCase graph = Weighted(kVertices, Chain(kVertices), weights);
  for (const double delta : {1.0, 1e5}) {  // many more buckets than are open at a time, and few
    const auto result = RunKernel("sssp", graph, {}, {.source = 0, .delta = delta});
    ASSERT_TRUE(result.ok()) << result.status();
    ExpectDistances(graph, 0, *result);
  }
}

TEST(Sssp, ManyVerticesWaitAtAnyDistance) {
  constexpr VertexId kVertices = 20'000;
  EdgeList edges;
  std::vector<int32_t> weights;
  std::mt19937 random(8);
  for (VertexId v = 1; v < kVertices; ++v) {
    edges.insert(edges.end(), {{0, v}, {v, random() % kVertices}});
    weights.insert(weights.end(), {static_cast<int32_t>(random() % 1'000'000),
                                   static_cast<int32_t>(random() % 1'000)});
  }
  const GraphCase graph = Weighted(kVertices, edges, weights);
  // Each waits in a bucket of its own; few in each of many; many in each of a few.
  for (const double delta : {10.0, 1e3, 1e5}) {
    const auto result = RunKernel("sssp", graph, {.far_ratio = 0.5}, {.source = 0, .delta = delta});
    ASSERT_TRUE(result.ok()) << result.status();
    ExpectDistances(graph, 0, *result);
  }
}

TEST(Sssp, TheLightestOfParallelEdgesCounts) {
  const GraphCase graph = Weighted(3, {{0, 1}, {0, 1}, {0, 1}, {1, 2}}, {7, 2, 9, 1});
  EXPECT_THAT(Values<int32_t>(*RunKernel("sssp", graph, {}, {.source = 0})), ElementsAre(0, 2, 3));
}

TEST(Sssp, WithoutWeightsItCountsEdges) {
  const GraphCase graph = RandomCase(7, 400, 2000, /*symmetric=*/false);
  const auto result = RunKernel("sssp", graph, {.far_ratio = 0.5}, {.source = 3});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(Values<int32_t>(*result), RelaxedDistances(graph, 3));
}

TEST(Sssp, HoldsTheLargestDistanceAndRefusesMore) {
  const EdgeList edges = {{0, 1}, {1, 2}, {0, 2}};
  auto result =
      RunKernel("sssp", Weighted(3, edges, {kLargest - 1, 1, kLargest}), {}, {.source = 0});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(Values<int32_t>(*result), ElementsAre(0, kLargest - 1, kLargest));

  result = RunKernel("sssp", Weighted(3, edges, {kLargest, kLargest, 5}), {}, {.source = 0});
  ASSERT_TRUE(result.ok()) << "a path that is too long does no harm where there is a shorter one";
  EXPECT_THAT(Values<int32_t>(*result), ElementsAre(0, kLargest, 5));

  result = RunKernel("sssp", Weighted(3, Chain(3), {kLargest, 1}), {}, {.source = 0});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("2^31 or more"));
}

TEST(Sssp, RefusesNegativeWeights) {
  const EdgeList edges = {{0, 1}, {1, 2}, {2, 1}};
  for (const GraphCase& graph :
       {Weighted(3, edges, {1, 2, -3}), FloatWeighted(3, edges, {1, 2, -3})}) {
    for (const TestGraphOptions& placement : Placements()) {
      const auto result = RunKernel("sssp", graph, placement, {.source = 0});
      EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(result.status().message()),
                  HasSubstr("the edge from 2 to 1 has weight -3"));
    }
  }
}

TEST(Sssp, RefusesAGraphWithoutVertices) {
  EXPECT_EQ(RunKernel("sssp", {}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Sssp, AnswersInTheWordsOfTheCommandLine) {
  const EdgeList edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  auto result = RunKernel("sssp", Weighted(5, edges, {4, 1, 1, 4}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer.dump(),
            R"({"source":0,"reached":4,"max_distance":5,"farthest":3,"sum_distances":10})");
  EXPECT_EQ(result->columns[0].name, "distance");
  EXPECT_THAT(Values<int32_t>(*result), ElementsAre(0, 4, 1, 5, -1));

  result = RunKernel("sssp", FloatWeighted(5, edges, {4, 1.5, 1, 4}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer.dump(),
            R"({"source":0,"reached":4,"max_distance":5.0,"farthest":3,"sum_distances":10.5})");
  EXPECT_THAT(Values<float>(*result), ElementsAre(0, 4, 1.5, 5, kInfinity));
}

class SsspVerifier : public VerifierTest {
 protected:
  SsspVerifier()
      : VerifierTest(
            "sssp",
            Weighted(6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {5, 0}}, {4, 1, 1, 1, 7, 1}),
            {.source = 0}) {}
};

TEST_F(SsspVerifier, RejectsALongerDistance) {
  SetValues<int32_t>(result_, {0, 4, 1, 2, 10, -1});
  ExpectRejected("vertex 4 has distance 10, where the verifier finds 9");
}

TEST_F(SsspVerifier, RejectsAVertexNotReached) {
  SetValues<int32_t>(result_, {0, 4, 1, 2, -1, -1});
  ExpectRejected("vertex 4 has distance -1");
}

TEST_F(SsspVerifier, RejectsAVertexReachedAgainstAnEdge) {
  SetValues<int32_t>(result_, {0, 4, 1, 2, 9, 1});
  ExpectRejected("vertex 5 has distance 1, where the verifier finds -1");
}

TEST_F(SsspVerifier, RejectsDistancesOfAnotherType) {
  result_ = *RunKernel("sssp", FloatWeighted(2, {{0, 1}}, {1}));
  ExpectRejected("the result has no distance");
}

TEST_F(SsspVerifier, AcceptsFloatDistancesUpToTheLargest) {
  const GraphCase graph =
      FloatWeighted(4, {{0, 1}, {0, 2}, {2, 3}}, {kLargestFloat, 1e38F, kLargestFloat});
  const StoredGraph stored(graph);
  const KernelOptions options = {.source = 0};
  const auto result = RunKernel("sssp", graph, {}, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(Values<float>(*result), ElementsAre(0, kLargestFloat, 1e38F, kInfinity));
  const absl::Status verified = stored.Verify("sssp", *result, options);
  EXPECT_TRUE(verified.ok()) << verified;
}

TEST_F(SsspVerifier, ChecksFloatDistancesBitByBit) {
  const GraphCase graph = FloatWeighted(3, Chain(3), {0.1f, 0.2f});
  const StoredGraph stored(graph);
  KernelResult result = *RunKernel("sssp", graph);
  EXPECT_TRUE(stored.Verify("sssp", result).ok());
  std::vector<float> distances = Values<float>(result);
  distances[2] = std::nextafter(distances[2], 1.0f);
  SetValues<float>(result, distances);
  EXPECT_TRUE(absl::IsAborted(stored.Verify("sssp", result)));
}

}  // namespace
}  // namespace fargraph
