#include "compute_node/engine/gather_lists.h"

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "compute_node/testing/test_graph.h"
#include "compute_node/testing/thread_count.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr VertexId kGatherVertices = 20'000;

/// Some of few, long lists and of many short ones; most vertices have none.
EdgeList GatherEdges() {
  std::mt19937 random(1);
  EdgeList edges;
  for (int i = 0; i < 6000; ++i) {
    const VertexId source = i % 3 == 0 ? 4000 * (random() % 5) + 3 : random() % kGatherVertices;
    edges.emplace_back(source, random() % kGatherVertices);
  }
  return edges;
}

struct Add {
  void operator()(double& value, absl::Span<const VertexId> neighbors) const {
    for (const VertexId neighbor : neighbors) value += neighbor;
  }
};

struct AddRuns : Add {
  using Add::operator();
  void operator()(const ListRun& run, double* values) const {
    for (size_t i = 0; i < run.size(); ++i) {
      const EdgeOffset begin = run.index[i] - run.index[0];
      values[i] = 0;
      (*this)(values[i], absl::MakeConstSpan(run.edges + begin, run.index[i + 1] - run.index[i]));
    }
  }
};

/// Far ratio of the lists, far or local values, compressed lists, threads.
class GatherListsTest : public testing::TestWithParam<std::tuple<double, bool, bool, int>> {
 protected:
  const ThreadCount threads_{std::get<3>(GetParam())};

  TestGraphOptions Options() const {
    TestGraphOptions options = {.far_ratio = std::get<0>(GetParam()),
                                .compressed = std::get<2>(GetParam())};
    if (std::get<1>(GetParam())) options.far_state = {"value"};
    return options;
  }
};

TEST_P(GatherListsTest, EveryValueIsThatOfTheListAlone) {
  const EdgeList edges = GatherEdges();
  std::vector<double> expected(kGatherVertices);
  for (const auto& [source, target] : edges) expected[source] += target;
  TestGraph test_graph(kGatherVertices, edges, Options());
  Graph& graph = test_graph.graph();
  auto values = *SequentialArray<double>::Make(graph, "value", 0);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(GatherLists(graph, Direction::kOut, values, Add()).ok());
    ASSERT_TRUE(GatherLists(graph, Direction::kOut, values, AddRuns()).ok());
  }
  EXPECT_EQ(*values.Take(VertexArray<double>(kGatherVertices)), VertexArray<double>(expected));
}

INSTANTIATE_TEST_SUITE_P(All, GatherListsTest,
                         testing::Combine(testing::Values(0, 0.6, 1), testing::Bool(),
                                          testing::Bool(), testing::Values(1, 3)));

TEST(GatherWeightedLists, WeightsAreThoseOfTheEdges) {
  TestGraphOptions options = {.far_ratio = 0.5, .weight_type = WeightType::kInt32};
  options.far_state = {"value"};
  const EdgeList edges = GatherEdges();
  std::vector<double> expected(kGatherVertices);
  for (size_t i = 0; i < edges.size(); ++i) {
    options.weight_bits.push_back(i % 100);
    expected[edges[i].first] += static_cast<double>(edges[i].second) * (i % 100);
  }
  TestGraph test_graph(kGatherVertices, edges, options);
  auto values = *SequentialArray<double>::Make(test_graph.graph(), "value", 0);
  const auto add = [](double& value, absl::Span<const VertexId> neighbors, auto weights) {
    for (size_t i = 0; i < neighbors.size(); ++i) value += 1.0 * neighbors[i] * weights[i];
  };
  ASSERT_TRUE(GatherWeightedLists<int32_t>(test_graph.graph(), Direction::kOut, values, add).ok());
  EXPECT_EQ(*values.Take(VertexArray<double>(kGatherVertices)), VertexArray<double>(expected));
}

TEST(GatherLists, AFailureOfTheTierOfValuesIsAnError) {
  TestGraph test_graph(kGatherVertices, GatherEdges(), {.fail_after = 20, .far_state = {"value"}});
  auto values = SequentialArray<double>::Make(test_graph.graph(), "value", 0);
  ASSERT_TRUE(values.ok());
  EXPECT_EQ(GatherLists(test_graph.graph(), Direction::kOut, *values, Add()).code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace fargraph
