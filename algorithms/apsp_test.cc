#include <algorithm>
#include <set>

#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;

struct Expected {
  std::vector<int32_t> reached_from;
  std::vector<double> sum_distances;
  int32_t max_distance = 0;
};

Expected DistancesFrom(const GraphCase& graph, const std::vector<VertexId>& sources) {
  Expected expected{std::vector<int32_t>(graph.vertices), std::vector<double>(graph.vertices)};
  for (const VertexId source : sources) {
    const std::vector<int32_t> distances = RelaxedDistances(graph, source);
    for (VertexId v = 0; v < graph.vertices; ++v) {
      if (distances[v] < 0) continue;
      ++expected.reached_from[v];
      expected.sum_distances[v] += distances[v];
      expected.max_distance = std::max(expected.max_distance, distances[v]);
    }
  }
  return expected;
}

void ExpectDistances(const GraphCase& graph, const KernelResult& result) {
  const auto sources = result.answer["sources"].get<std::vector<VertexId>>();
  const Expected expected = DistancesFrom(graph, sources);
  EXPECT_EQ(Values<int32_t>(result, 0), expected.reached_from);
  EXPECT_EQ(Values<double>(result, 1), expected.sum_distances);
  EXPECT_EQ(result.answer["max_distance"], expected.max_distance);
}

TEST(Apsp, SumsTheDistancesFrom32Vertices) {
  for (const GraphCase& graph : AllCases()) {
    for (const TestGraphOptions& placement : Placements()) {
      SCOPED_TRACE(absl::StrCat(graph.name, ", ", placement.far_ratio, " far"));
      const auto result = RunKernel("apsp", graph, placement);
      ASSERT_TRUE(result.ok()) << result.status();
      const auto sources = result->answer["sources"].get<std::vector<VertexId>>();
      EXPECT_EQ(std::set(sources.begin(), sources.end()).size(),
                std::min<size_t>(32, graph.vertices));
      ExpectDistances(graph, *result);
    }
  }
}

TEST(Apsp, OfMoreSourcesThanFitIntoOneSearchAreAllThere) {
  const GraphCase graph = RandomCase(4, 300, 1200, /*symmetric=*/false);
  const StoredGraph stored(graph);
  for (const uint64_t sources : {1, 63, 64, 65, 128, 300, 1000}) {
    SCOPED_TRACE(sources);
    const KernelOptions options = {.sources = sources};
    const auto result = RunKernel("apsp", graph, {.far_ratio = 0.5}, options);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->answer["sources"].size(), std::min<size_t>(sources, 300));
    ExpectDistances(graph, *result);
    EXPECT_TRUE(stored.Verify("apsp", *result, options).ok());
  }
}

TEST(Apsp, FromOneSourceItIsABreadthFirstSearch) {
  const GraphCase graph = RandomCase(5, 300, 600, /*symmetric=*/true);
  const auto bfs = RunKernel("bfs", graph, {}, {.source = 7});
  const auto result = RunKernel("apsp", graph, {}, {.source = 7});
  ASSERT_TRUE(bfs.ok() && result.ok());
  EXPECT_EQ(result->answer["sources"], nlohmann::ordered_json::array({7}));
  EXPECT_EQ(result->answer["pairs"], bfs->answer["reached"]);
  EXPECT_EQ(result->answer["max_distance"].get<int>() + 1, bfs->answer["levels"]);
}

TEST(Apsp, NeedsNoInEdges) {
  const GraphCase graph = RandomCase(4, 400, 4000, /*symmetric=*/false);
  const auto with = RunKernel("apsp", graph);
  const auto without = RunKernel("apsp", graph, {.far_ratio = 0.5, .with_in_edges = false});
  ASSERT_TRUE(with.ok() && without.ok());
  EXPECT_EQ(with->answer, without->answer);
  EXPECT_EQ(Values<double>(*with, 1), Values<double>(*without, 1));
}

TEST(Apsp, NamesItsColumnsAndSumsThemUp) {
  EdgeList cycle = Chain(4);
  cycle.emplace_back(3, 0);
  const auto result = RunKernel("apsp", {"", 5, cycle});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->columns[0].name, "reached_from");
  EXPECT_EQ(result->columns[1].name, "sum_distances");
  EXPECT_THAT(Values<int32_t>(*result, 0), ElementsAre(4, 4, 4, 4, 1));
  EXPECT_THAT(Values<double>(*result, 1), ElementsAre(6, 6, 6, 6, 0));
  EXPECT_EQ(result->answer.dump(),
            R"({"sources":[0,1,2,3,4],"max_distance":3,"pairs":17,"sum_distances":24.0})");
}

TEST(Apsp, AGraphWithoutVerticesHasNone) {
  const auto result = RunKernel("apsp", {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer.dump(),
            R"({"sources":[],"max_distance":0,"pairs":0,"sum_distances":0.0})");
}

TEST(Apsp, ItsEffortIsThatOfSixtyFourSearchesAtATime) {
  const GraphManifest road = {.vertices = 1000000, .edges = 2500000, .symmetric = true};
  const auto list_reads = [&](const KernelOptions& options) {
    return KernelNamed("apsp").EffortOn(road, options, {.kind = GraphKind::kDeep}).list_reads;
  };
  EXPECT_DOUBLE_EQ(list_reads({.sources = 1}), 1) << "each list once, however deep the search is";
  EXPECT_DOUBLE_EQ(list_reads({.source = 7}), 1);
  EXPECT_DOUBLE_EQ(list_reads({.sources = 64}), 64) << "searches that seldom meet";
  EXPECT_DOUBLE_EQ(list_reads({.sources = 65}), 2 * 64);
  EXPECT_DOUBLE_EQ(list_reads({}), 32);
}

class ApspVerifier : public VerifierTest {
 protected:
  ApspVerifier() : VerifierTest("apsp", GraphCase{"", 200, Chain(200)}) {}
};

TEST_F(ApspVerifier, RejectsAWrongSum) {
  MutableValues<double>(result_, 1)[199] += 1;
  ExpectRejected("vertex 199 has a sum of distances");
}

TEST_F(ApspVerifier, RejectsAWrongCount) {
  --MutableValues<int32_t>(result_, 0)[199];
  ExpectRejected("vertex 199 has sources that reach it 31, where the verifier finds 32");
}

TEST_F(ApspVerifier, RejectsTheDistancesOfOtherSources) {
  ExpectRejected("32 different vertices in 32 places, where there are to be 31", {.sources = 31});
  ExpectRejected("sources", {.source = 3});
  result_.answer["sources"][0] = 0;
  result_.answer["sources"][1] = 1;
  ExpectRejected("has sources that reach it");
}

}  // namespace
}  // namespace fargraph
