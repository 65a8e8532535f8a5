#include <utility>
#include <vector>

#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

/// By trying all sets of three vertices.
uint64_t TrianglesByDefinition(const GraphCase& graph) {
  std::vector<std::vector<bool>> adjacent(graph.vertices, std::vector<bool>(graph.vertices));
  for (const auto& [u, v] : graph.edges) adjacent[u][v] = adjacent[v][u] = true;
  uint64_t triangles = 0;
  for (VertexId u = 0; u < graph.vertices; ++u) {
    for (VertexId v = 0; v < u; ++v) {
      if (!adjacent[u][v]) continue;
      for (VertexId w = 0; w < v; ++w) triangles += adjacent[u][w] && adjacent[v][w];
    }
  }
  return triangles;
}

GraphCase Complete(VertexId vertices) {
  GraphCase graph{"complete", vertices, {}};
  for (VertexId u = 0; u < vertices; ++u) {
    for (VertexId v = 0; v < vertices; ++v) {
      if (u != v) graph.edges.emplace_back(u, v);
    }
  }
  return graph;
}

TEST(Triangles, AreThoseOfTheDefinition) {
  std::vector<GraphCase> cases = AllCases();
  cases.push_back(RandomCase(21, 300, 6000, /*symmetric=*/true));
  cases.push_back(RandomCase(22, 300, 6000, /*symmetric=*/false));
  for (const GraphCase& graph : cases) {
    const uint64_t expected = TrianglesByDefinition(graph);
    for (const TestGraphOptions& placement : Placements()) {
      SCOPED_TRACE(absl::StrCat(graph.name, ", ", placement.far_ratio, " far"));
      const auto result = RunKernel("triangles", graph, placement);
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(result->answer["triangles"], expected);
    }
  }
}

TEST(Triangles, OfACompleteGraphAreAllSetsOfThree) {
  const auto result = RunKernel("triangles", Complete(100), {.far_ratio = 0.5});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->answer.dump(), R"({"triangles":161700})");
  EXPECT_TRUE(result->columns.empty());
}

TEST(Triangles, EdgesJoinWhicheverWayTheyPointAndHoweverOften) {
  const std::vector<EdgeList> triangle = {{{0, 1}, {1, 2}, {2, 0}},
                                          {{0, 1}, {0, 2}, {1, 2}, {2, 1}},
                                          {{2, 1}, {1, 0}, {2, 0}, {2, 0}, {2, 0}, {1, 1}}};
  for (const EdgeList& edges : triangle) {
    const auto result = RunKernel("triangles", {"", 3, edges});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->answer["triangles"], 1);
  }
}

TEST(Triangles, OfMoreParallelEdgesThanABlockHasRoomFor) {
  GraphCase graph{"", 4, {{0, 1}, {1, 2}}};
  for (int i = 0; i < 1000; ++i) graph.edges.emplace_back(2, 0);
  for (const TestGraphOptions& placement : Placements()) {
    const auto result = RunKernel("triangles", graph, placement);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->answer["triangles"], 1);
  }
}

TEST(Triangles, AreCountedBlockByBlock) {
  // A vertex has at most as many neighbours as there are others, and so many fit into a block.
  const GraphCase graph = RandomCase(23, 200, 10'000, /*symmetric=*/true);
  TestGraph placed(graph.vertices, graph.edges, {.far_ratio = 1});
  const auto result = KernelNamed("triangles").Run(placed.graph(), {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->answer["triangles"], TrianglesByDefinition(graph));
  EXPECT_GT(placed.graph().iterations(), 10u);  // blocks that were loaded
}

TEST(Triangles, AGraphWithoutVerticesHasNone) {
  const auto result = RunKernel("triangles", {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer["triangles"], 0);
}

TEST(TrianglesVerifier, RejectsAnotherNumber) {
  const GraphCase graph = Complete(5);
  const StoredGraph stored(graph);
  KernelResult result = *RunKernel("triangles", graph);
  EXPECT_TRUE(stored.Verify("triangles", result).ok());
  result.answer["triangles"] = 9;
  const absl::Status verified = stored.Verify("triangles", result);
  EXPECT_TRUE(absl::IsAborted(verified)) << verified;
  EXPECT_THAT(std::string(verified.message()),
              HasSubstr("triangles is 9, where the verifier finds 10"));
}

}  // namespace
}  // namespace fargraph
