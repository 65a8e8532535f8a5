#include <algorithm>

#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr size_t kParentColumn = 1;

void ExpectSearchTree(const GraphCase& graph, VertexId source, const KernelResult& result) {
  const std::vector<int32_t> levels = RelaxedDistances(graph, source);
  std::vector<VertexId> parents(graph.vertices, kNoVertex);
  for (const auto& [u, v] : graph.edges) {
    if (levels[u] >= 0 && levels[v] == levels[u] + 1) parents[v] = std::min(parents[v], u);
  }
  parents[source] = source;
  EXPECT_EQ(Values<int32_t>(result), levels);
  EXPECT_EQ(Values<VertexId>(result, kParentColumn), parents);
  EXPECT_EQ(result.answer["source"], source);
  EXPECT_EQ(result.answer["reached"],
            std::count_if(levels.begin(), levels.end(), [](int32_t l) { return l >= 0; }));
  EXPECT_EQ(result.answer["levels"], 1 + *std::max_element(levels.begin(), levels.end()));
}

TEST(Bfs, FindsLevelsAndSmallestParentsFromAnySource) {
  for (const GraphCase& graph : AllCases()) {
    for (const TestGraphOptions& placement : Placements()) {
      for (const VertexId source : {VertexId{0}, graph.vertices / 2, graph.vertices - 1}) {
        SCOPED_TRACE(absl::StrCat(graph.name, " from ", source, ", ", placement.far_ratio, " far"));
        const auto result = RunKernel("bfs", graph, placement, {.source = source});
        ASSERT_TRUE(result.ok()) << result.status();
        ExpectSearchTree(graph, source, *result);
      }
    }
  }
}

TEST(Bfs, NeedsNoInEdges) {
  const GraphCase graph = RandomCase(4, 400, 4000, /*symmetric=*/false);
  const auto result =
      RunKernel("bfs", graph, {.far_ratio = 0.5, .with_in_edges = false}, {.source = 5});
  ASSERT_TRUE(result.ok()) << result.status();
  ExpectSearchTree(graph, 5, *result);
}

TEST(Bfs, StartsAtTheVertexWithMostOutEdges) {
  const GraphCase graph{"", 100, {{7, 1}, {7, 2}, {60, 1}, {60, 2}, {99, 0}, {3, 3}}};
  for (const int threads : {1, 4}) {
    const ThreadCount count(threads);
    const auto result = RunKernel("bfs", graph);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->answer["source"], 7);
  }
}

TEST(Bfs, AnswersInTheWordsOfTheCommandLine) {
  const GraphCase graph{"", 5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}};
  const auto result = RunKernel("bfs", graph);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->answer.dump(),
            R"({"source":0,"reached":4,"levels":3,"level_histogram":[1,2,1]})");
  EXPECT_EQ(result->columns[0].name, "level");
  EXPECT_EQ(result->columns[1].name, "parent");
  EXPECT_THAT(Values<int32_t>(*result), ElementsAre(0, 1, 1, 2, -1));
}

TEST(Bfs, RefusesAGraphWithoutVertices) {
  EXPECT_EQ(RunKernel("bfs", {}).status().code(), absl::StatusCode::kInvalidArgument);
}

/// Of the graph 0 -> {1, 2} -> 3 -> 4, and 5 apart.
class BfsVerifier : public VerifierTest {
 protected:
  // 0 -> {1, 2} -> 3 -> 4, and 5 apart.
  BfsVerifier()
      : VerifierTest("bfs", GraphCase{"", 6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {5, 0}}},
                     {.source = 0}) {}
};

TEST_F(BfsVerifier, RejectsAWrongLevel) {
  MutableValues<int32_t>(result_)[4] = 2;
  ExpectRejected("vertex 4 has level 2, where the verifier finds 3");
}

TEST_F(BfsVerifier, RejectsAVertexNotReached) {
  MutableValues<int32_t>(result_)[4] = -1;
  MutableValues<VertexId>(result_, kParentColumn)[4] = kNoVertex;
  ExpectRejected("vertex 4 has level -1");
}

TEST_F(BfsVerifier, RejectsAVertexReachedAgainstAnEdge) {
  MutableValues<int32_t>(result_)[5] = 1;
  MutableValues<VertexId>(result_, kParentColumn)[5] = 0;
  ExpectRejected("vertex 5 has level 1, where the verifier finds -1");
}

TEST_F(BfsVerifier, RejectsAWrongParent) {
  MutableValues<VertexId>(result_, kParentColumn)[4] = 1;
  ExpectRejected("vertex 4 has parent 1, where the verifier finds 3");
}

TEST_F(BfsVerifier, RejectsAParentThatIsNoVertex) {
  MutableValues<VertexId>(result_, kParentColumn)[4] = 77;
  ExpectRejected("vertex 4 has parent outside the graph");
  MutableValues<VertexId>(result_, kParentColumn)[4] = kNoVertex;
  ExpectRejected("vertex 4 has parent none");
}

TEST_F(BfsVerifier, RejectsTheTreeOfAnotherSource) {
  result_ = *RunKernel("bfs", graph_, {}, {.source = 1});
  ExpectRejected("level");
}

}  // namespace
}  // namespace fargraph
