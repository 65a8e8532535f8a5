#include "compute_node/engine/effort.h"

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(MeanDegree, IsNoneWithoutVertices) {
  EXPECT_EQ(MeanDegree({.vertices = 4, .edges = 6}), 1.5);
  EXPECT_EQ(MeanDegree({}), 0);
}

SearchDepth DepthOf(const GraphManifest& graph) {
  return RoughDepth(graph, KindOf(graph, /*lists_are_clustered=*/false));
}

TEST(RoughDepth, IsThatOfAPlaneWhereVerticesHaveFewNeighbours) {
  EXPECT_NEAR(DepthOf({.vertices = 264'346, .edges = 730'100}).levels, 514, 1);
  EXPECT_LT(DepthOf({.vertices = 4'194'302, .edges = 128'311'450}).levels, 20);
  EXPECT_NEAR(DepthOf({.vertices = 264'346, .edges = 730'100}).parts, 103, 1);
  EXPECT_LT(DepthOf({.vertices = 10, .edges = 50}).parts, 5);
  EXPECT_GE(DepthOf({}).levels, 1);
}

TEST(RoughDepth, HubsBringMostVerticesIntoFewerLevels) {
  const GraphManifest hubs_first = {
      .vertices = 1000, .edges = 50'000, .order = VertexOrder::kDegree};
  const GraphManifest as_given = {.vertices = 1000, .edges = 50'000};
  EXPECT_LT(DepthOf(hubs_first).parts, DepthOf(as_given).parts);
}

TEST(RoughDepth, ClusteredListsLeadFarInManyLevels) {
  const GraphManifest web = {
      .vertices = 325'557, .edges = 5'477'938, .order = VertexOrder::kDegree};
  EXPECT_EQ(KindOf(web, /*lists_are_clustered=*/true), GraphKind::kClustered);
  EXPECT_NEAR(RoughDepth(web, GraphKind::kClustered).levels, 30, 1);
  EXPECT_LT(DepthOf(web).levels, 11);
}

TEST(KindOf, LooksAtDegreesBeforeAnythingElse) {
  GraphManifest graph = {.vertices = 1000, .edges = 3000, .order = VertexOrder::kDegree};
  EXPECT_EQ(KindOf(graph, /*lists_are_clustered=*/true), GraphKind::kDeep);
  graph.edges = 5000;
  EXPECT_EQ(KindOf(graph, /*lists_are_clustered=*/true), GraphKind::kClustered);
  EXPECT_EQ(KindOf(graph, /*lists_are_clustered=*/false), GraphKind::kHubs);
  graph.order = VertexOrder::kInput;
  EXPECT_EQ(KindOf(graph, /*lists_are_clustered=*/false), GraphKind::kScattered);
}

TEST(PerKind, HasAFigureForEach) {
  const PerKind figures = {.deep = 1, .clustered = 2, .hubs = 3, .scattered = 4};
  EXPECT_EQ(figures.Of(GraphKind::kDeep), 1);
  EXPECT_EQ(figures.Of(GraphKind::kClustered), 2);
  EXPECT_EQ(figures.Of(GraphKind::kHubs), 3);
  EXPECT_EQ(figures.Of(GraphKind::kScattered), 4);
}

}  // namespace
}  // namespace fargraph
