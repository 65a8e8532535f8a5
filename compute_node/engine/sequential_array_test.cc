#include "compute_node/engine/sequential_array.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "compute_node/testing/test_graph.h"
#include "compute_node/testing/thread_count.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr VertexId kArrayVertices = 30'011;

/// Which of the arrays "a" and "b" are far, and for how many threads.
class SequentialArrayTest
    : public testing::TestWithParam<std::tuple<std::vector<std::string>, int>> {
 protected:
  const ThreadCount threads_{std::get<1>(GetParam())};
  TestGraph test_graph_{kArrayVertices, {}, {.far_state = std::get<0>(GetParam())}};
  Graph& graph_ = test_graph_.graph();
};

TEST_P(SequentialArrayTest, BlocksCoverAllValuesInOrder) {
  auto a = *SequentialArray<double>::Make(graph_, "a", 7);
  std::vector<VertexId> ends(omp_get_max_threads());
  std::vector<VertexId> begins(omp_get_max_threads(), kArrayVertices);
  std::vector<int> visits(kArrayVertices);
  const auto visit = [&](int thread, VertexId first, absl::Span<double> values) {
    EXPECT_LE(ends[thread], first);
    begins[thread] = std::min(begins[thread], first);
    ends[thread] = first + values.size();
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(values[i], 7);
      ++visits[first + i];
    }
  };
  ASSERT_TRUE(ForEachBlock(visit, a).ok());
  EXPECT_EQ(visits, std::vector<int>(kArrayVertices, 1));
  EXPECT_TRUE(std::is_sorted(begins.begin(), begins.end()));
}

TEST_P(SequentialArrayTest, WhatIsWrittenIsThereInTheNextPass) {
  auto a = *SequentialArray<double>::Make(graph_, "a", 1);
  auto b = *SequentialArray<double>::Make(graph_, "b", 0);
  std::vector<double> expected_a(kArrayVertices, 1), expected_b(kArrayVertices, 0);
  for (int i = 0; i < 3; ++i) {
    const auto change_a = [i](int, VertexId first, absl::Span<double> of_a,
                              absl::Span<const double> of_b) {
      for (size_t j = 0; j < of_a.size(); ++j)
        of_a[j] = 3 * of_a[j] + of_b[j] + static_cast<double>(first + j + i);
    };
    const auto change_b = [](int, VertexId, absl::Span<double> of_b,
                             absl::Span<const double> of_a) {
      for (size_t j = 0; j < of_a.size(); ++j) of_b[j] += of_a[j];
    };
    ASSERT_TRUE(ForEachBlock(change_a, a, std::as_const(b)).ok());
    ASSERT_TRUE(ForEachBlock(change_b, b, std::as_const(a)).ok());
    for (VertexId v = 0; v < kArrayVertices; ++v) {
      expected_a[v] = 3 * expected_a[v] + expected_b[v] + static_cast<double>(v + i);
      expected_b[v] += expected_a[v];
    }
  }
  EXPECT_EQ(*a.Take(VertexArray<double>(kArrayVertices)), VertexArray<double>(expected_a));
  EXPECT_EQ(*b.Take(VertexArray<double>(kArrayVertices)), VertexArray<double>(expected_b));
}

TEST_P(SequentialArrayTest, WhatIsBehindTheEndIsLeftAlone) {
  constexpr VertexId kEnd = 12'345;
  auto a = *SequentialArray<double>::Make(graph_, "a", 0, kEnd);
  const auto add = [](int, VertexId, absl::Span<double> values) {
    for (double& value : values) ++value;
  };
  ASSERT_TRUE(ForEachBlock(add, a).ok());
  std::vector<double> expected(kArrayVertices);
  std::fill_n(expected.begin(), kEnd, 1);
  EXPECT_EQ(*a.Take(VertexArray<double>(kArrayVertices)), VertexArray<double>(expected));
}

TEST_P(SequentialArrayTest, AnotherArrayGetsTheValuesAndTheyAreMadeAnew) {
  auto a = *SequentialArray<double>::Make(graph_, "a", 1);
  VertexArray<double> other(kArrayVertices, 2);
  for (int i = 1; i <= 3; ++i) {
    const auto set = [i](int, VertexId first, absl::Span<double> values) {
      for (size_t j = 0; j < values.size(); ++j) values[j] = i * static_cast<double>(first + j);
    };
    ASSERT_TRUE(ForEachBlock(set, a).ok());
    ASSERT_TRUE(a.Exchange(other).ok());
    for (VertexId v = 0; v < kArrayVertices; ++v) ASSERT_EQ(other[v], i * static_cast<double>(v));
  }
}

INSTANTIATE_TEST_SUITE_P(Far, SequentialArrayTest,
                         testing::Combine(testing::Values(std::vector<std::string>{},
                                                          std::vector<std::string>{"a"},
                                                          std::vector<std::string>{"b"},
                                                          std::vector<std::string>{"a", "b"}),
                                          testing::Values(1, 3)));

}  // namespace
}  // namespace fargraph
