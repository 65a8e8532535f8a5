#include <cmath>
#include <limits>
#include <numeric>

#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;

/// Power iteration over a list of edges.
std::vector<double> IterateOverEdges(const GraphCase& graph, int iterations) {
  const double vertices = graph.vertices;
  std::vector<int> out_degrees(graph.vertices);
  for (const auto& [u, v] : graph.edges) ++out_degrees[u];
  std::vector<double> ranks(graph.vertices, 1 / vertices);
  for (int i = 0; i < iterations; ++i) {
    std::vector<double> next(graph.vertices, 0.15 / vertices);
    for (const auto& [u, v] : graph.edges) next[v] += 0.85 * ranks[u] / out_degrees[u];
    for (VertexId u = 0; u < graph.vertices; ++u) {
      if (out_degrees[u] > 0) continue;
      for (double& rank : next) rank += 0.85 * ranks[u] / vertices;
    }
    ranks = next;
  }
  return ranks;
}

TEST(PageRank, MakesTheIterationsAskedFor) {
  for (const GraphCase& graph : AllCases()) {
    for (const TestGraphOptions& placement : Placements()) {
      for (const int iterations : {1, 7}) {
        SCOPED_TRACE(absl::StrCat(graph.name, ", ", placement.far_ratio, " far"));
        const auto result =
            RunKernel("pagerank", graph, placement, {.iterations = uint64_t(iterations)});
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_EQ(result->answer["iterations"], iterations);
        EXPECT_THAT(Values<double>(*result),
                    Pointwise(DoubleNear(1e-14), IterateOverEdges(graph, iterations)));
        EXPECT_NEAR(result->answer["sum"], 1, 1e-12);
      }
    }
  }
}

TEST(PageRank, SumsUpContributionsThatNoCacheHolds) {
  constexpr VertexId kVertices = 600'000;
  constexpr VertexId kHubs = 100;
  GraphCase graph{"", kVertices, {}};
  for (VertexId v = 0; v < kVertices; ++v) {
    graph.edges.emplace_back(v, static_cast<VertexId>((uint64_t{v} * 7919 + 1) % kVertices));
    graph.edges.emplace_back(v, v % kHubs);
  }
  for (const double far_ratio : {0.0, 0.5}) {
    const TestGraphOptions placement = {.far_ratio = far_ratio, .chunk_bytes = 64 << 10};
    const auto result = RunKernel("pagerank", graph, placement, {.iterations = 2});
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_THAT(Values<double>(*result), Pointwise(DoubleNear(1e-14), IterateOverEdges(graph, 2)));
  }
}

template <typename Real>
void ExpectTheSameWithFarState(Precision precision) {
  const GraphCase graph = RandomCase(7, 60'000, 200'000, /*symmetric=*/false);
  for (const int threads : {1, 2, 3, 7}) {
    const ThreadCount count(threads);
    const KernelOptions options = {.iterations = 5, .precision = precision};
    const auto local = RunKernel("pagerank", graph, {.far_ratio = 1}, options);
    const auto far =
        RunKernel("pagerank", graph, {.far_ratio = 1, .far_state = {"next_contribution"}}, options);
    ASSERT_TRUE(local.ok() && far.ok()) << far.status();
    EXPECT_EQ(far->answer["delta"], local->answer["delta"]);
    EXPECT_EQ(Values<Real>(*far), Values<Real>(*local)) << "to the last bit";
  }
}

TEST(PageRank, FarStateIsTheSame) {
  ExpectTheSameWithFarState<double>(Precision::kDouble);
  ExpectTheSameWithFarState<float>(Precision::kSingle);
}

TEST(PageRank, ALostTierOfStateIsAnError) {
  const GraphCase graph = RandomCase(8, 20'000, 40'000, /*symmetric=*/false);
  const auto result =
      RunKernel("pagerank", graph,
                {.far_ratio = 0, .fail_after = 12, .far_state = {"next_contribution"}}, {});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kUnavailable) << result.status();
}

TEST(PageRank, ConvergesToTheFixedPoint) {
  for (const GraphCase& graph : AllCases()) {
    SCOPED_TRACE(graph.name);
    const auto result = RunKernel("pagerank", graph, {.far_ratio = 0.8}, {.tolerance = 1e-12});
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_LE(result->answer["delta"], 1e-12);
    EXPECT_THAT(Values<double>(*result),
                Pointwise(DoubleNear(1e-11), IterateOverEdges(graph, 300)));
  }
}

TEST(PageRank, EndsAtWhicheverComesFirst) {
  const GraphCase graph = RandomCase(6, 300, 2000, /*symmetric=*/false);
  const auto iterations_made = [&](const KernelOptions& options) {
    return RunKernel("pagerank", graph, {}, options)->answer["iterations"].get<int>();
  };
  const int to_default = iterations_made({});
  EXPECT_EQ(to_default, iterations_made({.tolerance = 1e-9}));
  EXPECT_GT(to_default, 5);
  EXPECT_EQ(iterations_made({.iterations = 3, .tolerance = 1e-9}), 3);
  EXPECT_EQ(iterations_made({.iterations = 500, .tolerance = 1e-9}), to_default);
  EXPECT_EQ(iterations_made({.iterations = 200}), 200) << "without a tolerance it never ends early";
  EXPECT_EQ(iterations_made({.iterations = 0}), 0);
  EXPECT_LE(iterations_made({.tolerance = 0}), 1000);
}

TEST(PageRank, EndsInSinglePrecisionAsSoonAsThatAllows) {
  const GraphCase graph = RandomCase(6, 3000, 20'000, /*symmetric=*/false);
  const auto iterations_made = [&](const KernelOptions& options) {
    return RunKernel("pagerank", graph, {}, options)->answer["iterations"].get<int>();
  };
  const int to_default = iterations_made({.precision = Precision::kSingle});
  EXPECT_NEAR(to_default, iterations_made({.tolerance = 1e-6}), 1);
}

TEST(PageRank, ExpectsFewerIterationsWhereTheySettleSooner) {
  const auto expected = [](const GraphManifest& graph, const KernelOptions& options) {
    return KernelNamed("pagerank").EffortOn(graph, options, {}).steps;
  };
  const GraphManifest road = {.vertices = 264'346, .edges = 730'100};
  const GraphManifest uniform = {.vertices = 4'194'304, .edges = 134'217'728};
  EXPECT_EQ(expected(road, {.iterations = 7}), 7);
  EXPECT_NEAR(expected(road, {}), 99, 5);  // as many as were made
  EXPECT_NEAR(expected(uniform, {}), 15, 2);
  EXPECT_LT(expected(road, {.precision = Precision::kSingle}), expected(road, {}));
  EXPECT_EQ(expected(road, {.iterations = 20, .tolerance = 1e-9}), 20);
  EXPECT_EQ(expected(road, {.tolerance = 0}), 1000);
  EXPECT_EQ(expected(road, {.tolerance = 2}), 0);
}

TEST(PageRank, RefusesAToleranceThatIsNone) {
  for (const double tolerance : {-1e-3, std::numeric_limits<double>::quiet_NaN()}) {
    const auto result = RunKernel("pagerank", {"", 2, {{0, 1}}}, {}, {.tolerance = tolerance});
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(PageRank, NamesTheTenHighestAndOfEqualsTheSmaller) {
  // 3 has most in-edges, all others are alike.
  const auto result = RunKernel("pagerank", {"", 12, {{0, 3}, {1, 3}, {2, 3}}});
  ASSERT_TRUE(result.ok());
  std::vector<int> vertices;
  for (const auto& entry : result->answer["top10"]) vertices.push_back(entry[0]);
  EXPECT_THAT(vertices, testing::ElementsAre(3, 0, 1, 2, 4, 5, 6, 7, 8, 9));
  EXPECT_EQ(result->answer["top10"][0][1], Values<double>(*result)[3]);
  EXPECT_EQ(result->columns[0].name, "rank");
}

TEST(PageRank, AGraphWithoutVerticesHasNoRank) {
  const auto result = RunKernel("pagerank", {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer["sum"], 0);
  EXPECT_TRUE(result->answer["top10"].empty());
}

class PageRankVerifier : public VerifierTest {
 protected:
  PageRankVerifier() : VerifierTest("pagerank", RandomCase(8, 200, 900, /*symmetric=*/false)) {}
};

TEST_F(PageRankVerifier, RejectsARankThatIsOff) {
  MutableValues<double>(result_)[42] += 1e-6;
  ExpectRejected("most of all at vertex 42");
}

TEST_F(PageRankVerifier, RejectsRanksThatAreOffAndSumToOne) {
  MutableValues<double>(result_)[42] += 1e-6;
  MutableValues<double>(result_)[43] -= 1e-6;
  ExpectRejected("away from those of the verifier");
}

TEST_F(PageRankVerifier, RejectsANumberThatIsNone) {
  MutableValues<double>(result_)[42] = std::numeric_limits<double>::quiet_NaN();
  ExpectRejected("at vertex 42");
}

TEST_F(PageRankVerifier, RejectsIterationsThatEndedEarlyOrLate) {
  result_ = *RunKernel("pagerank", graph_, {}, {.iterations = 3});
  ExpectRejected("ended after 3 iterations, too early");
  ExpectRejected("ended after 3 iterations, too early", {.iterations = 4});
  ExpectRejected("ended after 3 iterations, too early", {.iterations = 4, .tolerance = 1e-9});
  ExpectRejected("ended after 3 iterations, too late", {.iterations = 2});
  ExpectRejected("ended after 3 iterations, too late", {.iterations = 3, .tolerance = 0.9});
}

TEST_F(PageRankVerifier, RejectsSinglePrecisionThatGoesOnWhenItHasSettled) {
  result_ = *RunKernel("pagerank", graph_, {}, {.iterations = 60, .precision = Precision::kSingle});
  ExpectRejected("ended after 60 iterations, too late", {.precision = Precision::kSingle});
}

TEST_F(PageRankVerifier, RejectsRanksWhoseDanglingMassIsLost) {
  for (double& rank : MutableValues<double>(result_)) rank *= 0.99;
  ExpectRejected("away from those of the verifier");
}

}  // namespace
}  // namespace fargraph
