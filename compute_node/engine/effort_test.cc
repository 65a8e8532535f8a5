#include "compute_node/engine/effort.h"

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(MeanDegree, IsNoneWithoutVertices) {
  EXPECT_EQ(MeanDegree({.vertices = 4, .edges = 6}), 1.5);
  EXPECT_EQ(MeanDegree({}), 0);
}

TEST(RoughDepth, IsThatOfAPlaneWhereVerticesHaveFewNeighbours) {
  EXPECT_NEAR(RoughDepth({.vertices = 264'346, .edges = 730'100}).levels, 514, 1);
  EXPECT_LT(RoughDepth({.vertices = 4'194'302, .edges = 128'311'450}).levels, 20);
  EXPECT_NEAR(RoughDepth({.vertices = 264'346, .edges = 730'100}).parts, 103, 1);
  EXPECT_LT(RoughDepth({.vertices = 10, .edges = 50}).parts, 5);
  EXPECT_GE(RoughDepth({}).levels, 1);
}

TEST(RoughDepth, HubsBringMostVerticesIntoFewerLevels) {
  const GraphManifest hubs_first = {
      .vertices = 1000, .edges = 50'000, .order = VertexOrder::kDegree};
  const GraphManifest as_given = {.vertices = 1000, .edges = 50'000};
  EXPECT_LT(RoughDepth(hubs_first).parts, RoughDepth(as_given).parts);
}

}  // namespace
}  // namespace fargraph
