#include <bit>
#include <cmath>
#include <numeric>

#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

/// One multiplication over a list of edges.
std::vector<double> MultiplyOverEdges(const GraphCase& graph) {
  std::vector<double> out_degrees(graph.vertices), y(graph.vertices);
  for (const auto& [u, v] : graph.edges) ++out_degrees[u];
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    double weight = 1;
    if (graph.weight_type == WeightType::kFloat32)
      weight = std::bit_cast<float>(graph.weight_bits[i]);
    if (graph.weight_type == WeightType::kInt32 || graph.weight_type == WeightType::kUint8)
      weight = graph.weight_bits[i];
    y[graph.edges[i].first] += weight / (1 + out_degrees[graph.edges[i].second]);
  }
  return y;
}

TEST(Spmv, GathersAlongTheOutEdges) {
  for (const GraphCase& graph : AllCases()) {
    for (const TestGraphOptions& placement : Placements()) {
      SCOPED_TRACE(absl::StrCat(graph.name, ", ", placement.far_ratio, " far"));
      const std::vector<double> expected = MultiplyOverEdges(graph);
      const auto result = RunKernel("spmv", graph, placement);
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(result->columns[0].name, "y");
      EXPECT_THAT(Values<double>(*result), Pointwise(DoubleNear(1e-10), expected));
      EXPECT_NEAR(result->answer["sum"], std::reduce(expected.begin(), expected.end()), 1e-9);
    }
  }
}

TEST(Spmv, TellsTheLargestEntries) {
  // x is 1/4 at 0 and 1 at the others; the negative row has the largest magnitude.
  const GraphCase graph = {.name = "",
                           .vertices = 5,
                           .edges = {{0, 1}, {0, 2}, {0, 3}, {4, 0}},
                           .weight_type = WeightType::kInt32,
                           .weight_bits = {1, 2, 3, std::bit_cast<uint32_t>(-40)}};
  const auto result = RunKernel("spmv", graph);
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(Values<double>(*result), ElementsAre(6, 0, 0, 0, -10));
  EXPECT_EQ(result->answer.dump(),
            R"({"sum":-4.0,"largest":10.0,"top10":[[0,6.0],[1,0.0],[2,0.0],[3,0.0],[4,-10.0]]})");
}

TEST(Spmv, FurtherIterationsMultiplyTheNormalizedResult) {
  // Along 0 -> 1 -> 2 -> 2: x = (1/2, 1/2, 1/2).
  const GraphCase graph = {"", 3, {{0, 1}, {1, 2}, {2, 2}, {0, 2}}};
  // x = (1/3, 1/2, 1/2), y = (1, 1/2, 1/2); of that again (1, 1/2, 1/2).
  for (const uint64_t iterations : {1, 2, 9}) {
    const auto result = RunKernel("spmv", graph, {}, {.iterations = iterations});
    ASSERT_TRUE(result.ok());
    EXPECT_THAT(Values<double>(*result), ElementsAre(1, 0.5, 0.5)) << iterations;
  }
  // Of a star around one centre and four others the largest eigenvalue is 2.
  EdgeList star = Star(5, true);
  for (const auto& [u, v] : Star(5, false)) star.emplace_back(u, v);
  for (VertexId v = 0; v < 5; ++v) star.emplace_back(v, v);  // A + 1, so that the power method ends
  const auto result = RunKernel("spmv", {"", 5, star}, {}, {.iterations = 60});
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(result->answer["largest"], 3, 1e-9);
}

TEST(Spmv, NoNumberOfIterationsOverflows) {
  const GraphCase graph = RandomCase(5, 300, 3000, /*symmetric=*/true);
  for (const Precision precision : {Precision::kDouble, Precision::kSingle}) {
    const auto result = RunKernel("spmv", graph, {}, {.iterations = 500, .precision = precision});
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(std::isfinite(result->answer["sum"].get<double>()));
  }
  // Its powers are 0 from the fourth on.
  const auto nilpotent = RunKernel("spmv", {"", 4, Chain(4)}, {}, {.iterations = 7});
  ASSERT_TRUE(nilpotent.ok());
  EXPECT_THAT(Values<double>(*nilpotent), ElementsAre(0, 0, 0, 0));
}

TEST(Spmv, InSinglePrecisionComesCloseAndVerifies) {
  for (const GraphCase& graph : AllCases()) {
    SCOPED_TRACE(graph.name);
    const StoredGraph stored(graph);
    const KernelOptions options = {.iterations = 3, .precision = Precision::kSingle};
    const auto single = RunKernel("spmv", graph, {.far_ratio = 0.5}, options);
    const auto in_double = RunKernel("spmv", graph, {}, {.iterations = 3});
    ASSERT_TRUE(single.ok() && in_double.ok());
    const std::vector<float> y = Values<float>(*single);
    const double largest = in_double->answer["largest"];
    EXPECT_THAT(std::vector<double>(y.begin(), y.end()),
                Pointwise(DoubleNear(1e-5 * largest), Values<double>(*in_double)));
    EXPECT_TRUE(stored.Verify("spmv", *single, options).ok());
  }
}

TEST(Spmv, IsTheSameToTheLastBitInSinglePrecisionToo) {
  const GraphCase graph =
      WithRandomWeights(RandomCase(6, 3000, 20000, /*symmetric=*/false), WeightType::kFloat32);
  const KernelOptions options = {.iterations = 4, .precision = Precision::kSingle};
  const auto expected = RunKernel("spmv", graph, {}, options);
  for (const int threads : {1, 3}) {
    const ThreadCount count(threads);
    for (const TestGraphOptions& placement : Placements()) {
      const auto result = RunKernel("spmv", graph, placement, options);
      ASSERT_TRUE(result.ok() && expected.ok());
      EXPECT_EQ(Values<float>(*result), Values<float>(*expected));
      EXPECT_EQ(result->answer, expected->answer);
    }
  }
}

TEST(Spmv, RefusesNoMultiplication) {
  const auto result = RunKernel("spmv", {"", 2, {{0, 1}}}, {}, {.iterations = 0});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Spmv, AGraphWithoutVerticesHasNoRows) {
  const auto result = RunKernel("spmv", {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer.dump(), R"({"sum":0.0,"largest":0.0,"top10":[]})");
}

class SpmvVerifier : public VerifierTest {
 protected:
  SpmvVerifier()
      : VerifierTest("spmv", WithRandomWeights(RandomCase(8, 200, 900, /*symmetric=*/false),
                                               WeightType::kFloat32)) {}
};

TEST_F(SpmvVerifier, RejectsAnEntryThatIsOffByMoreThanRounding) {
  double& value = MutableValues<double>(result_)[2];
  ASSERT_GT(value, 0);
  value *= 1 + 1e-9;
  ExpectRejected("vertex 2 has y");
}

TEST_F(SpmvVerifier, AcceptsTermsThatAreTooSmallToBeRoundedWell) {
  GraphCase graph = {"", 4, {{0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}}, WeightType::kFloat32};
  for (const float weight : {1.4e-45F, 4.2e-45F, 1e-40F, 1.4e-45F, 2e-38F}) {
    graph.weight_bits.push_back(std::bit_cast<uint32_t>(weight));
  }
  const StoredGraph stored(graph);
  for (const Precision precision : {Precision::kSingle, Precision::kDouble}) {
    const KernelOptions options = {.precision = precision};
    const auto result = RunKernel("spmv", graph, {}, options);
    ASSERT_TRUE(result.ok()) << result.status();
    const absl::Status verified = stored.Verify("spmv", *result, options);
    EXPECT_TRUE(verified.ok()) << verified;
  }
}

TEST_F(SpmvVerifier, RejectsARowThatLacksAnEdge) {
  GraphCase other = graph_;
  other.edges.pop_back();
  other.weight_bits.pop_back();
  result_ = *RunKernel("spmv", other);
  ExpectRejected("has y");
}

TEST_F(SpmvVerifier, RejectsANumberThatIsNone) {
  MutableValues<double>(result_)[42] = std::nan("");
  ExpectRejected("vertex 42 has y");
}

TEST_F(SpmvVerifier, RejectsAnotherNumberOfIterations) {
  ExpectRejected("has y", {.iterations = 2});
}

}  // namespace
}  // namespace fargraph
