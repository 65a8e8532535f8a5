#include "compute_node/engine/effort.h"

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(MeanDegree, IsNoneWithoutVertices) {
  EXPECT_EQ(MeanDegree({.vertices = 4, .edges = 6}), 1.5);
  EXPECT_EQ(MeanDegree({}), 0);
}

SearchDepth DepthOf(const GraphManifest& graph) {
  return RoughDepth(graph, /*lists_are_clustered=*/false);
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
  EXPECT_NEAR(RoughDepth(web, /*lists_are_clustered=*/true).levels, 30, 1);
  EXPECT_LT(DepthOf(web).levels, 11);
  const GraphManifest road = {.vertices = 264'346, .edges = 730'100};
  EXPECT_EQ(RoughDepth(road, /*lists_are_clustered=*/true).levels, DepthOf(road).levels);
}

}  // namespace
}  // namespace fargraph
