#include <algorithm>
#include <numeric>

#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Distances (-1: none) and numbers of shortest paths from one vertex.
struct Paths {
  std::vector<int32_t> distances;
  std::vector<double> counts;
};

Paths PathsFrom(const GraphCase& graph, VertexId source) {
  Paths paths{RelaxedDistances(graph, source), std::vector<double>(graph.vertices)};
  paths.counts[source] = 1;
  const int32_t farthest = *std::max_element(paths.distances.begin(), paths.distances.end());
  for (int32_t distance = 0; distance < farthest; ++distance) {
    for (const auto& [u, v] : graph.edges) {
      if (paths.distances[u] == distance && paths.distances[v] == distance + 1)
        paths.counts[v] += paths.counts[u];
    }
  }
  return paths;
}

/// By the definition, from all pairs: the share of paths from a source to t that pass through v.
std::vector<double> ScoresByDefinition(const GraphCase& graph,
                                       const std::vector<VertexId>& sources) {
  std::vector<Paths> from;
  for (VertexId v = 0; v < graph.vertices; ++v) from.push_back(PathsFrom(graph, v));
  std::vector<double> scores(graph.vertices);
  for (const VertexId s : sources) {
    for (VertexId v = 0; v < graph.vertices; ++v) {
      if (v == s || from[s].distances[v] < 0) continue;
      for (VertexId t = 0; t < graph.vertices; ++t) {
        if (t == v || from[v].distances[t] < 0) continue;
        if (from[s].distances[v] + from[v].distances[t] == from[s].distances[t])
          scores[v] += from[s].counts[v] * from[v].counts[t] / from[s].counts[t];
      }
    }
  }
  return scores;
}

void ExpectNear(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t v = 0; v < actual.size(); ++v)
    EXPECT_NEAR(actual[v], expected[v], 1e-9 * (1 + expected[v])) << "vertex " << v;
}

TEST(Bc, SharesOfShortestPathsAreThoseOfTheDefinition) {
  for (const GraphCase& graph : AllCases()) {
    for (const VertexId source : {VertexId{0}, graph.vertices / 2}) {
      const std::vector<double> expected = ScoresByDefinition(graph, {source});
      for (const TestGraphOptions& placement : Placements()) {
        SCOPED_TRACE(absl::StrCat(graph.name, " from ", source, ", ", placement.far_ratio, " far"));
        const auto result = RunKernel("bc", graph, placement, {.source = source});
        ASSERT_TRUE(result.ok()) << result.status();
        ExpectNear(Values<double>(*result), expected);
        EXPECT_NEAR(result->answer["sum"].get<double>(),
                    std::accumulate(expected.begin(), expected.end(), 0.0), 1e-6);
      }
    }
  }
}

TEST(Bc, SumsOverSampledSources) {
  const GraphCase graph = RandomCase(4, 200, 900, /*symmetric=*/false);
  const auto result = RunKernel("bc", graph, {.far_ratio = 0.5}, {.sources = 7});
  ASSERT_TRUE(result.ok()) << result.status();
  const auto sources = result->answer["sources"].get<std::vector<VertexId>>();
  EXPECT_EQ(sources.size(), 7u);
  ExpectNear(Values<double>(*result), ScoresByDefinition(graph, sources));
  const KernelOptions options{.sources = 7};
  EXPECT_TRUE(StoredGraph(graph).Verify("bc", *result, options).ok());
}

TEST(Bc, OfAllSourcesCountsBothDirectionsOfAPair) {
  GraphCase star{"", 5, Star(5, true)};
  for (const auto& [u, v] : Star(5, true)) star.edges.emplace_back(v, u);
  const auto result = RunKernel("bc", star, {}, {.sources = 100});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->answer["sources"].size(), 5u);
  EXPECT_THAT(Values<double>(*result), ElementsAre(12, 0, 0, 0, 0));
}

TEST(Bc, ParallelEdgesAreParallelPaths) {
  const GraphCase graph{"", 4, {{0, 1}, {0, 1}, {0, 1}, {0, 2}, {1, 3}, {2, 3}}};
  const auto result = RunKernel("bc", graph, {}, {.source = 0});
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(Values<double>(*result), ElementsAre(0, 0.75, 0.25, 0));
}

TEST(Bc, AnswersInTheWordsOfTheCommandLine) {
  const auto result = RunKernel("bc", {"", 4, {{2, 0}, {2, 1}, {1, 3}, {0, 3}}});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->answer.dump(),
            R"({"sources":[2],"sum":1.0,"top10":[[0,0.5],[1,0.5],[2,0.0],[3,0.0]]})");
  EXPECT_EQ(result->columns[0].name, "score");
}

/// Layers of vertices, each with edges to a third of the next layer.
GraphCase Layers(VertexId layers, VertexId width) {
  std::mt19937 random(5);
  GraphCase graph{"layers", layers * width, {}};
  for (VertexId v = 0; v + width < graph.vertices; ++v) {
    const VertexId next_layer = (v / width + 1) * width;
    for (VertexId i = 0; i < width / 3; ++i)
      graph.edges.emplace_back(v, next_layer + random() % width);
  }
  return graph;
}

TEST(Bc, IsTheSameToTheLastBitWhereCountsAreRounded) {
  const GraphCase graph = Layers(/*layers=*/60, /*width=*/48);  // up to 1e69 paths to a vertex
  const auto expected = RunKernel("bc", graph, {}, {.source = 0});
  ASSERT_TRUE(expected.ok()) << expected.status();
  EXPECT_TRUE(StoredGraph(graph).Verify("bc", *expected, {.source = 0}).ok());
  for (const int threads : {1, 7}) {
    const ThreadCount count(threads);
    for (const TestGraphOptions& placement : Placements()) {
      const auto result = RunKernel("bc", graph, placement, {.source = 0});
      ASSERT_TRUE(result.ok());
      EXPECT_EQ(Values<double>(*result), Values<double>(*expected));
    }
  }
}

TEST(Bc, RefusesMorePathsThanCanBeCounted) {
  GraphCase graph{"diamonds", 3 * 1100 + 1, {}};
  for (VertexId v = 0; v + 3 < graph.vertices; v += 3) {
    for (const VertexId middle : {v + 1, v + 2}) {
      graph.edges.emplace_back(v, middle);
      graph.edges.emplace_back(middle, v + 3);
    }
  }
  const absl::Status refused = RunKernel("bc", graph, {}, {.source = 0}).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("cannot count the shortest paths"));
  const auto countable = RunKernel("bc", graph, {}, {.source = 3 * 100});
  ASSERT_TRUE(countable.ok()) << countable.status();
  EXPECT_TRUE(StoredGraph(graph).Verify("bc", *countable, {.source = 3 * 100}).ok());
}

TEST(Bc, RefusesAGraphWithoutVertices) {
  EXPECT_EQ(RunKernel("bc", {}).status().code(), absl::StatusCode::kInvalidArgument);
}

/// Of the graph 0 -> {1, 2} -> 3 -> 4, and 5 apart.
class BcVerifier : public VerifierTest {
 protected:
  // 0 -> {1, 2} -> 3 -> 4, and 5 apart.
  BcVerifier()
      : VerifierTest("bc", GraphCase{"", 6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {5, 0}}},
                     {.source = 0}) {}
};

TEST_F(BcVerifier, RejectsAWrongScore) {
  MutableValues<double>(result_)[1] = 1.00001;
  ExpectRejected("vertex 1 has score 1.00001, where the verifier finds 1");
  MutableValues<double>(result_)[1] = std::numeric_limits<double>::quiet_NaN();
  ExpectRejected("vertex 1 has score nan");
}

TEST_F(BcVerifier, RejectsAScoreWhereNoPathLeads) {
  MutableValues<double>(result_)[5] = 1e-12;
  ExpectRejected("vertex 5 has score 1e-12, where the verifier finds 0");
}

TEST_F(BcVerifier, RejectsTheScoresOfAnotherSource) {
  result_ = *RunKernel("bc", graph_, {}, {.source = 1});
  ExpectRejected("sources");
}

TEST_F(BcVerifier, RejectsSourcesThatWereNotAskedFor) {
  options_ = {.sources = 2};
  ExpectRejected("the sample holds 1 different vertices in 1 places, where there are to be 2");
  result_.answer["sources"] = {1, 77};
  ExpectRejected("77, which is no vertex");
}

}  // namespace
}  // namespace fargraph
