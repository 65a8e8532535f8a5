#include <algorithm>
#include <set>

#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int32_t> LargestDistances(const GraphCase& graph,
                                      const std::vector<VertexId>& samples) {
  std::vector<int32_t> largest(graph.vertices, -1);
  for (const VertexId sample : samples) {
    const std::vector<int32_t> distances = RelaxedDistances(graph, sample);
    for (VertexId v = 0; v < graph.vertices; ++v) largest[v] = std::max(largest[v], distances[v]);
  }
  return largest;
}

TEST(Radii, AreTheLargestDistancesFromTheSample) {
  for (const GraphCase& graph : AllCases()) {
    for (const TestGraphOptions& placement : Placements()) {
      SCOPED_TRACE(absl::StrCat(graph.name, ", ", placement.far_ratio, " far"));
      const auto result = RunKernel("radii", graph, placement);
      ASSERT_TRUE(result.ok()) << result.status();
      const auto samples = result->answer["samples"].get<std::vector<VertexId>>();
      EXPECT_EQ(std::set(samples.begin(), samples.end()).size(),
                std::min<size_t>(64, graph.vertices));
      const std::vector<int32_t> expected = LargestDistances(graph, samples);
      EXPECT_EQ(Values<int32_t>(*result), expected);
      EXPECT_EQ(result->answer["estimate"], *std::max_element(expected.begin(), expected.end()));
    }
  }
}

TEST(Radii, NeedNoInEdges) {
  const GraphCase graph = RandomCase(4, 400, 4000, /*symmetric=*/false);
  const auto with = RunKernel("radii", graph);
  const auto without = RunKernel("radii", graph, {.far_ratio = 0.5, .with_in_edges = false});
  ASSERT_TRUE(with.ok() && without.ok());
  EXPECT_EQ(Values<int32_t>(*with), Values<int32_t>(*without));
}

TEST(Radii, OfAGraphThatIsItsOwnSampleAreExact) {
  EdgeList cycle = Chain(10);
  cycle.emplace_back(9, 0);
  const auto result = RunKernel("radii", {"", 11, cycle});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->answer["estimate"], 9);
  EXPECT_EQ(result->answer["samples"].size(), 11u);
  EXPECT_THAT(Values<int32_t>(*result), ElementsAre(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0));
  EXPECT_EQ(result->columns[0].name, "radius");
}

TEST(Radii, SampleDependsOnTheNumberOfVerticesAlone) {
  const auto chain = RunKernel("radii", {"", 1000, Chain(1000)});
  const auto star = RunKernel("radii", {"", 1000, Star(1000, true)});
  ASSERT_TRUE(chain.ok() && star.ok());
  EXPECT_EQ(chain->answer["samples"], star->answer["samples"]);
}

TEST(Radii, AGraphWithoutVerticesHasNone) {
  const auto result = RunKernel("radii", {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer.dump(), R"({"samples":[],"estimate":0})");
}

class RadiiVerifier : public VerifierTest {
 protected:
  RadiiVerifier() : VerifierTest("radii", GraphCase{"", 200, Chain(200)}) {}
};

TEST_F(RadiiVerifier, RejectsAWrongRadius) {
  ++MutableValues<int32_t>(result_)[199];
  ExpectRejected("vertex 199 has radius");
}

TEST_F(RadiiVerifier, RejectsASampleThatRepeatsAVertex) {
  result_.answer["samples"][1] = result_.answer["samples"][0];
  ExpectRejected("holds 63 different vertices in 64 places");
}

TEST_F(RadiiVerifier, RejectsASampleOutsideTheGraph) {
  result_.answer["samples"][1] = 200;
  ExpectRejected("200, which is no vertex");
  result_.answer["samples"][1] = "x";
  ExpectRejected("\"x\", which is no vertex");
}

TEST_F(RadiiVerifier, RejectsTheRadiiOfAnotherSample) {
  result_.answer["samples"][0] = 0;
  result_.answer["samples"][1] = 1;
  ExpectRejected("has radius");
}

}  // namespace
}  // namespace fargraph
