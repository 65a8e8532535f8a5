#include "compute_node/engine/subset_stack.h"

#include <string>
#include <vector>

#include "compute_node/engine/vertex_map.h"
#include "compute_node/testing/test_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr VertexId kStackVertices = 50'001;

std::vector<VertexId> MemberList(const VertexSubset& subset) {
  std::vector<VertexId> members;
  for (VertexId v = 0; v < kStackVertices; ++v) {
    if (subset.Contains(v)) members.push_back(v);
  }
  return members;
}

/// Far or not.
class SubsetStackTest : public testing::TestWithParam<bool> {
 protected:
  TestGraph test_graph_{
      kStackVertices,
      {},
      {.far_state = GetParam() ? std::vector<std::string>{"levels"} : std::vector<std::string>{}}};
};

TEST_P(SubsetStackTest, TheLastOneComesBackFirst) {
  const auto dense = [](VertexId every, VertexId first) {
    return VertexFilter(kStackVertices, [=](VertexId v) { return v % every == first % every; });
  };
  // Disjoint, and all vertices together but few.
  const std::vector<VertexSubset> subsets = {
      dense(2, 0),                                                         // bits
      VertexSubset(kStackVertices, std::vector<VertexId>{49'999, 11, 7}),  // in any order
      VertexSubset(kStackVertices), dense(100, 3), dense(4, 1)};
  SubsetStack stack(test_graph_.graph(), "levels");
  for (int turn = 0; turn < 2; ++turn) {
    for (const VertexSubset& subset : subsets) stack.Push(subset);
    EXPECT_EQ(stack.size(), subsets.size());
    for (auto expected = subsets.rbegin(); expected != subsets.rend(); ++expected) {
      const auto popped = stack.Pop();
      ASSERT_TRUE(popped.ok()) << popped.status();
      EXPECT_EQ(popped->size(), expected->size());
      EXPECT_EQ(popped->vertices(), kStackVertices);
      if (expected->is_sparse()) {
        EXPECT_EQ(popped->members(), expected->members());
      } else {
        EXPECT_EQ(MemberList(*popped), MemberList(*expected));
      }
    }
    EXPECT_EQ(stack.size(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Far, SubsetStackTest, testing::Bool());

TEST(SubsetStack, ALostTierIsAnError) {
  TestGraph test_graph(kStackVertices, {}, {.fail_after = 9, .far_state = {"levels"}});
  SubsetStack stack(test_graph.graph(), "levels");
  for (VertexId v = 0; v < 20; ++v) {
    stack.Push(VertexSubset::Single(kStackVertices, v));
  }
  EXPECT_EQ(stack.Pop().status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace fargraph
