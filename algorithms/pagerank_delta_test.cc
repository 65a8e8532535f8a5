#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "absl/strings/match.h"
#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;

double Distance(const std::vector<double>& a, const std::vector<double>& b) {
  double distance = 0;
  for (size_t v = 0; v < a.size(); ++v) distance += std::abs(a[v] - b[v]);
  return distance;
}

/// The fixed point, by power iteration; whose own test holds it against edges.
std::vector<double> FixedPoint(const GraphCase& graph) {
  return Values<double>(*RunKernel("pagerank", graph, {}, {.iterations = 300}));
}

TEST(PageRankDelta, ComesAsCloseToTheFixedPointAsItSays) {
  for (const GraphCase& graph : AllCases()) {
    const std::vector<double> expected = FixedPoint(graph);
    for (const TestGraphOptions& placement : Placements()) {
      for (const double tolerance : {1e-3, 1e-6, 1e-12}) {
        SCOPED_TRACE(absl::StrCat(graph.name, ", ", placement.far_ratio, " far, to ", tolerance));
        const auto result = RunKernel("pagerank_delta", graph, placement, {.tolerance = tolerance});
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_LE(result->answer["delta"], tolerance);
        EXPECT_LE(Distance(Values<double>(*result), expected), tolerance * 0.85 / 0.15 + 1e-13);
        EXPECT_NEAR(result->answer["sum"], 1, tolerance * 0.85 / 0.15 + 1e-13);
      }
    }
  }
}

TEST(PageRankDelta, WithoutAToleranceItMakesTheStepsOfPowerIteration) {
  for (const GraphCase& graph : AllCases()) {
    for (const uint64_t iterations : {0, 1, 7}) {
      SCOPED_TRACE(absl::StrCat(graph.name, ", ", iterations));
      const auto power = RunKernel("pagerank", graph, {}, {.iterations = iterations});
      const auto deltas = RunKernel("pagerank_delta", graph, {}, {.iterations = iterations});
      ASSERT_TRUE(power.ok() && deltas.ok());
      EXPECT_THAT(Values<double>(*deltas), Pointwise(DoubleNear(1e-14), Values<double>(*power)));
      EXPECT_NEAR(deltas->answer["delta"], power->answer["delta"], 1e-12);
    }
  }
}

TEST(PageRankDelta, PushesAllTheWayWhereThereAreNoInEdges) {
  const GraphCase graph = RandomCase(9, 300, 2000, /*symmetric=*/false);
  const auto result =
      RunKernel("pagerank_delta", graph, {.with_in_edges = false}, {.tolerance = 1e-12});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(Values<double>(*result), Pointwise(DoubleNear(1e-11), FixedPoint(graph)));
}

TEST(PageRankDelta, WhileAllPullRanksDoNotDependOnTheNumberOfThreads) {
  GraphCase graph = RandomCase(6, 2000, 30'000, /*symmetric=*/false);
  for (VertexId v = 0; v < graph.vertices; ++v) {  // so that none is dangling
    graph.edges.push_back({v, (v + 1) % graph.vertices});
  }
  const auto ranks = [&](int threads) {
    const ThreadCount count(threads);
    return Values<double>(*RunKernel("pagerank_delta", graph, {}, {.iterations = 7}));
  };
  EXPECT_EQ(ranks(7), ranks(1)) << "to the last bit";
}

TEST(PageRankDelta, FarRanksAreTheSame) {
  const ThreadCount one(1);  // several add changes in any order
  const GraphCase graph = RandomCase(7, 20'000, 60'000, /*symmetric=*/false);
  const auto local = RunKernel("pagerank_delta", graph, {}, {.iterations = 5});
  const auto far = RunKernel("pagerank_delta", graph, {.far_state = {"rank"}}, {.iterations = 5});
  ASSERT_TRUE(local.ok() && far.ok()) << far.status();
  EXPECT_EQ(far->answer, local->answer);
  EXPECT_EQ(Values<double>(*far), Values<double>(*local)) << "to the last bit";
}

TEST(PageRankDelta, ReadsFewerListsThanPowerIteration) {
  GraphCase graph = RandomCase(6, 2000, 8000, /*symmetric=*/false);
  graph.vertices += 100;  // a path, along which changes go on when all others have ended
  for (VertexId v = 2000; v + 1 < graph.vertices; ++v) graph.edges.push_back({v, v + 1});
  const auto bytes_read = [&](absl::string_view kernel) {
    TestGraph placed(graph.vertices, graph.edges, {.far_ratio = 1});
    EXPECT_TRUE(KernelNamed(kernel).Run(placed.graph(), {}).ok());
    return placed.graph().stats().bytes_useful;
  };
  const uint64_t bytes = bytes_read("pagerank_delta");
  EXPECT_GT(bytes, 0u);
  EXPECT_LT(bytes, bytes_read("pagerank"));
}

TEST(PageRankDelta, EndsAtWhicheverComesFirst) {
  const GraphCase graph = RandomCase(6, 300, 2000, /*symmetric=*/false);
  const auto iterations_made = [&](const KernelOptions& options) {
    TestGraph placed(graph.vertices, graph.edges);
    EXPECT_TRUE(KernelNamed("pagerank_delta").Run(placed.graph(), options).ok());
    return placed.graph().iterations();
  };
  const uint64_t to_default = iterations_made({});
  EXPECT_EQ(to_default, iterations_made({.tolerance = 1e-9}));
  EXPECT_GT(to_default, 5u);
  EXPECT_EQ(iterations_made({.iterations = 3, .tolerance = 1e-9}), 3u);
  EXPECT_EQ(iterations_made({.iterations = 500, .tolerance = 1e-9}), to_default);
  EXPECT_EQ(iterations_made({.iterations = 200}), 200u);
  EXPECT_LE(iterations_made({.tolerance = 0}), 1000u);
}

TEST(PageRankDelta, RefusesAToleranceThatIsNone) {
  for (const double tolerance : {-1e-3, std::numeric_limits<double>::quiet_NaN()}) {
    const auto result =
        RunKernel("pagerank_delta", {"", 2, {{0, 1}}}, {}, {.tolerance = tolerance});
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StartsWith(result.status().message(), "pagerank_delta cannot run"));
  }
}

TEST(PageRankDelta, AGraphWithoutVerticesHasNoRank) {
  const auto result = RunKernel("pagerank_delta", {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer["sum"], 0);
  EXPECT_TRUE(result->answer["top10"].empty());
}

class PageRankDeltaVerifier : public VerifierTest {
 protected:
  PageRankDeltaVerifier()
      : VerifierTest("pagerank_delta", RandomCase(8, 200, 900, /*symmetric=*/false)) {}
};

TEST_F(PageRankDeltaVerifier, RejectsARankThatIsOff) {
  MutableValues<double>(result_)[42] += 1e-6;
  ExpectRejected("most of all at vertex 42");
}

TEST_F(PageRankDeltaVerifier, RejectsANumberThatIsNone) {
  MutableValues<double>(result_)[49] = std::numeric_limits<double>::quiet_NaN();
  ExpectRejected("not those of the fixed point");
}

TEST_F(PageRankDeltaVerifier, RejectsRanksThatEndedEarly) {
  result_ = *RunKernel("pagerank_delta", graph_, {}, {.iterations = 3});
  ExpectRejected("ended with a delta of");
  result_.answer["delta"] = 1e-10;
  ExpectRejected("not those of the fixed point");
}

TEST_F(PageRankDeltaVerifier, RejectsRanksThatAreNotThoseOfTheIterationsAskedFor) {
  const KernelOptions exact = {.iterations = 20}, either = {.iterations = 20, .tolerance = 1e-3};
  for (const KernelOptions& options : {exact, either}) {
    result_ = *RunKernel("pagerank_delta", graph_, {}, options);
    for (double& rank : MutableValues<double>(result_)) rank = 1.0 / graph_.vertices;
    result_.answer["delta"] = 2.0;
    ExpectRejected("away from those of the verifier", options);
    ExpectRejected("ended with a delta of 2", {.tolerance = 0});
  }
  result_ = *RunKernel("pagerank_delta", graph_, {}, {.iterations = 6});
  ExpectRejected("away from those of the verifier", {.iterations = 7});
  ExpectRejected("away from those of the verifier", {.iterations = 5});
}

TEST_F(PageRankDeltaVerifier, RejectsADeltaThatIsNotThatOfTheIterations) {
  result_ = *RunKernel("pagerank_delta", graph_, {}, {.iterations = 6});
  result_.answer["delta"] = result_.answer["delta"].get<double>() + 1e-6;
  ExpectRejected("delta", {.iterations = 6});
}

TEST_F(PageRankDeltaVerifier, AcceptsWhicheverEndComesFirst) {
  using Iterations = std::optional<uint64_t>;
  using Tolerance = std::optional<double>;
  for (const auto iterations : {Iterations(), Iterations(0), Iterations(1), Iterations(60)}) {
    for (const auto tolerance :
         {Tolerance(), Tolerance(0.0), Tolerance(1e-9), Tolerance(1e-3), Tolerance(2.5)}) {
      SCOPED_TRACE(absl::StrCat(iterations.value_or(1000), ", ", tolerance.value_or(-1)));
      const KernelOptions options = {.iterations = iterations, .tolerance = tolerance};
      const auto result = RunKernel("pagerank_delta", graph_, {}, options);
      ASSERT_TRUE(result.ok()) << result.status();
      const absl::Status verified = stored_.Verify("pagerank_delta", *result, options);
      EXPECT_TRUE(verified.ok()) << verified;
    }
  }
}

TEST_F(PageRankDeltaVerifier, RejectsRanksWhoseDanglingMassIsLost) {
  for (double& rank : MutableValues<double>(result_)) rank *= 0.99;
  ExpectRejected("not those of the fixed point");
}

}  // namespace
}  // namespace fargraph
