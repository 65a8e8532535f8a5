// What every kernel has to do, whichever it is.

#include <atomic>

#include "absl/strings/match.h"
#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;

TEST(Kernels, EnterTheRegistry) {
  std::vector<std::string> names;
  for (const Kernel* kernel : AllKernels()) names.emplace_back(kernel->name());
  EXPECT_THAT(names, ElementsAre("apsp", "bc", "bfs", "kcore", "mis", "pagerank", "pagerank_delta",
                                 "radii", "spmv", "sssp", "triangles", "wcc"));
}

class EveryKernel : public testing::TestWithParam<const Kernel*> {
 protected:
  const std::string name_{GetParam()->name()};
};

TEST_P(EveryKernel, PassesItsVerifierOnEveryPlacement) {
  for (const GraphCase& graph : AllCases()) {
    const StoredGraph stored(graph);
    for (const TestGraphOptions& placement : Placements()) {
      const auto result = RunKernel(name_, graph, placement);
      ASSERT_TRUE(result.ok()) << graph.name << ": " << result.status();
      const absl::Status verified = stored.Verify(name_, *result);
      EXPECT_TRUE(verified.ok()) << graph.name << ": " << verified;
    }
  }
}

TEST_P(EveryKernel, VerifiesFromTheOutEdgesAlone) {
  const GraphCase graph = RandomCase(11, 300, 1500, /*symmetric=*/false);
  const StoredGraph stored(graph, /*reverse=*/false);
  const auto result = RunKernel(name_, graph);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(stored.Verify(name_, *result).ok());
}

TEST_P(EveryKernel, GivesTheSameAnswerForAnyNumberOfThreads) {
  if (absl::StartsWith(name_, "pagerank"))
    return;  // sums of floating-point numbers depend on their order
  const GraphCase graph = RandomCase(12, 10000, 30000, /*symmetric=*/false);
  const auto expected = RunKernel(name_, graph);
  ASSERT_TRUE(expected.ok());
  for (const int threads : {1, 2, 7}) {
    const ThreadCount count(threads);
    for (const TestGraphOptions& placement : Placements()) {
      const auto result = RunKernel(name_, graph, placement);
      ASSERT_TRUE(result.ok());
      EXPECT_EQ(result->answer, expected->answer);
      for (size_t column = 0; column < expected->columns.size(); ++column) {
        EXPECT_TRUE(result->columns[column].values == expected->columns[column].values)
            << expected->columns[column].name << ", " << threads << " threads, "
            << placement.far_ratio << " far";
      }
    }
  }
}

TEST_P(EveryKernel, PassesOnTheErrorOfATier) {
  const GraphCase graph = RandomCase(13, 400, 3000, /*symmetric=*/false);
  const auto result = RunKernel(name_, graph, {.far_ratio = 0.8, .fail_after = 10});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kUnavailable) << result.status();
}

TEST_P(EveryKernel, StopsWhenTheUserAsks) {
  const std::atomic<bool> cancelled = true;
  const GraphCase graph = RandomCase(14, 400, 3000, /*symmetric=*/false);
  const auto result = RunKernel(name_, graph, {.far_ratio = 0.5, .cancelled = &cancelled});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kCancelled) << result.status();
}

TEST_P(EveryKernel, TellsOfItsIterations) {
  TestGraph graph(300, Chain(300));
  ASSERT_TRUE(GetParam()->Run(graph.graph(), {}).ok());
  EXPECT_GE(graph.graph().iterations(), 1u);
}

TEST_P(EveryKernel, ItsVerifierWantsEveryColumnForEveryVertex) {
  const GraphCase graph = RandomCase(15, 100, 300, /*symmetric=*/false);
  const StoredGraph stored(graph);
  const auto result = RunKernel(name_, graph);
  ASSERT_TRUE(result.ok());
  for (size_t column = 0; column < result->columns.size(); ++column) {
    KernelResult renamed = *result;
    renamed.columns[column].name = "other";
    EXPECT_EQ(stored.Verify(name_, renamed).code(), absl::StatusCode::kAborted);
    KernelResult shorter = *result;
    std::visit(
        [](auto& values) {
          using Array = std::decay_t<decltype(values)>;
          values = Array(absl::MakeConstSpan(values.data(), values.size() - 1));
        },
        shorter.columns[column].values);
    EXPECT_EQ(stored.Verify(name_, shorter).code(), absl::StatusCode::kAborted);
  }
}

TEST_P(EveryKernel, ItsVerifierChecksEveryFieldOfTheAnswer) {
  const GraphCase graph = RandomCase(16, 100, 300, /*symmetric=*/false);
  const StoredGraph stored(graph);
  const auto result = RunKernel(name_, graph);
  ASSERT_TRUE(result.ok());
  for (const auto& [field, value] : result->answer.items()) {
    KernelResult missing = *result;
    missing.answer.erase(field);
    EXPECT_EQ(stored.Verify(name_, missing).code(), absl::StatusCode::kAborted) << field;
    KernelResult wrong = *result;
    if (value.is_array()) {
      wrong.answer[field].erase(0);
    } else {
      wrong.answer[field] = value.get<double>() + 1;
    }
    EXPECT_EQ(stored.Verify(name_, wrong).code(), absl::StatusCode::kAborted) << field;
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryKernel, testing::ValuesIn(AllKernels()),
                         [](const auto& kernel) { return std::string(kernel.param->name()); });

}  // namespace
}  // namespace fargraph
