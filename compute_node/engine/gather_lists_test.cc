#include "compute_node/engine/gather_lists.h"

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "common/units.h"
#include "compute_node/testing/test_graph.h"
#include "compute_node/testing/thread_count.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr VertexId kGatherVertices = 20'000;

/// Some of few, long lists and of many short ones; most vertices have none, and those between the
/// first two long lists are chunks without edges.
EdgeList GatherEdges() {
  constexpr VertexId kFirstShort = 5004;
  std::mt19937 random(1);
  EdgeList edges;
  for (int i = 0; i < 6000; ++i) {
    const VertexId source = i % 3 == 0 ? 5000 * (random() % 4) + 3
                                       : kFirstShort + random() % (kGatherVertices - kFirstShort);
    edges.emplace_back(source, random() % kGatherVertices);
  }
  return edges;
}

std::vector<double> GatheredSums() {
  std::vector<double> sums(kGatherVertices);
  for (const auto& [source, target] : GatherEdges()) sums[source] += target;
  return sums;
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

/// Far ratio of the lists, far or local values, compressed lists, threads, frames for chunks.
class GatherListsTest : public testing::TestWithParam<std::tuple<double, bool, bool, int, size_t>> {
 protected:
  const ThreadCount threads_{std::get<3>(GetParam())};

  TestGraphOptions Options() const {
    TestGraphOptions options = {.far_ratio = std::get<0>(GetParam()),
                                .chunk_frames = std::get<4>(GetParam()),
                                .compressed = std::get<2>(GetParam())};
    if (std::get<1>(GetParam())) options.far_state = {"value"};
    return options;
  }
};

TEST_P(GatherListsTest, EveryValueIsThatOfTheListAlone) {
  TestGraph test_graph(kGatherVertices, GatherEdges(), Options());
  Graph& graph = test_graph.graph();
  auto values = *SequentialArray<double>::Make(graph, "value", 7);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(GatherLists(graph, Direction::kOut, values, Add()).ok());
    ASSERT_TRUE(GatherLists(graph, Direction::kOut, values, AddRuns()).ok());
  }
  EXPECT_EQ(*values.Take(VertexArray<double>(kGatherVertices)),
            VertexArray<double>(GatheredSums()));
}

/// A sum that depends on the order, and how many values there were.
struct Finished {
  double sum = 0;
  size_t count = 0;

  Finished& operator+=(const Finished& other) {
    sum += other.sum;
    count += other.count;
    return *this;
  }
};

TEST_P(GatherListsTest, EveryCompleteValueIsFinishedOnce) {
  TestGraph test_graph(kGatherVertices, GatherEdges(), Options());
  auto values = *SequentialArray<double>::Make(test_graph.graph(), "value", 7);
  const auto finish = [](VertexId first, absl::Span<double> block) {
    Finished finished = {.count = block.size()};
    for (size_t i = 0; i < block.size(); ++i) {
      block[i] = 2 * block[i] + static_cast<double>(first + i);
      finished.sum += 1 / (1 + block[i]);
    }
    return finished;
  };
  const auto gather = [&](const auto& compute) {
    return GatherLists(test_graph.graph(), Direction::kOut, values, compute, finish);
  };
  for (const auto& finished : {gather(AddRuns()), gather(Add()), gather(AddRuns())}) {
    ASSERT_TRUE(finished.ok());
    EXPECT_EQ(finished->count, kGatherVertices);
  }
  std::vector<double> expected = GatheredSums();
  for (size_t v = 0; v < expected.size(); ++v)
    expected[v] = 2 * expected[v] + static_cast<double>(v);
  EXPECT_EQ(*values.Take(VertexArray<double>(kGatherVertices)), VertexArray<double>(expected));

  const double sum = gather(AddRuns())->sum;
  const ThreadCount other_threads(std::get<3>(GetParam()) == 1 ? 2 : 1);
  TestGraph same_graph(kGatherVertices, GatherEdges(), Options());
  auto same_values = *SequentialArray<double>::Make(same_graph.graph(), "value", 0);
  EXPECT_EQ(GatherLists(same_graph.graph(), Direction::kOut, same_values, AddRuns(), finish)->sum,
            sum);
}

INSTANTIATE_TEST_SUITE_P(All, GatherListsTest,
                         testing::Combine(testing::Values(0, 0.6, 1), testing::Bool(),
                                          testing::Bool(), testing::Values(1, 3),
                                          testing::Values(0, 6)));

struct AddWeighted {
  template <typename Weight>
  void operator()(double& value, absl::Span<const VertexId> neighbors,
                  absl::Span<const Weight> weights) const {
    ASSERT_EQ(neighbors.size(), weights.size());
    for (size_t i = 0; i < neighbors.size(); ++i) value += 1.0 * neighbors[i] * weights[i];
  }
};

struct AddWeightedRuns : AddWeighted {
  using AddWeighted::operator();
  template <typename Weight>
  void operator()(const ListRun& run, absl::Span<const Weight> weights, double* values) const {
    ASSERT_EQ(run.edge_count(), weights.size());
    for (size_t i = 0; i < run.size(); ++i) {
      const EdgeOffset begin = run.index[i] - run.index[0];
      const EdgeOffset count = run.index[i + 1] - run.index[i];
      values[i] = 0;
      (*this)(values[i], absl::MakeConstSpan(run.edges + begin, count),
              weights.subspan(begin, count));
    }
  }
};

/// Type of the weights; size of the chunks, of which a large one has several blocks of values; by
/// runs or list by list.
class GatherWeightedListsTest
    : public testing::TestWithParam<std::tuple<WeightType, uint64_t, bool>> {};

TEST_P(GatherWeightedListsTest, WeightsAreThoseOfTheEdges) {
  const auto& [type, chunk_bytes, by_runs] = GetParam();
  const EdgeList edges = GatherEdges();
  TestGraphOptions options = {
      .far_ratio = 0.5, .chunk_bytes = chunk_bytes, .weight_type = type, .far_state = {"value"}};
  std::vector<double> expected(kGatherVertices);
  for (size_t i = 0; i < edges.size(); ++i) {
    options.weight_bits.push_back(i % 100);
    expected[edges[i].first] += static_cast<double>(edges[i].second) * (i % 100);
  }
  TestGraph test_graph(kGatherVertices, edges, options);
  Graph& graph = test_graph.graph();
  auto values = *SequentialArray<double>::Make(graph, "value", 0);
  const auto gather = [&](const auto& compute) {
    return GatherWeightedLists<int32_t>(graph, Direction::kOut, values, compute);
  };
  ASSERT_TRUE((by_runs ? gather(AddWeightedRuns()) : gather(AddWeighted())).ok());
  EXPECT_EQ(*values.Take(VertexArray<double>(kGatherVertices)), VertexArray<double>(expected));
}

INSTANTIATE_TEST_SUITE_P(All, GatherWeightedListsTest,
                         testing::Combine(testing::Values(WeightType::kInt32, WeightType::kUint8),
                                          testing::Values(64, kMiB), testing::Bool()));

TEST(GatherLists, ADirectionThatIsNotLoadedIsAnError) {
  TestGraph test_graph(kGatherVertices, GatherEdges(), {.with_in_edges = false});
  auto values = SequentialArray<double>::Make(test_graph.graph(), "value", 0);
  ASSERT_TRUE(values.ok());
  EXPECT_EQ(GatherLists(test_graph.graph(), Direction::kIn, *values, Add()).code(),
            absl::StatusCode::kFailedPrecondition);
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
