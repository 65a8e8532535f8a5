#include "compute_node/engine/divided_list.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "absl/algorithm/container.h"
#include "graph/ids.h"

namespace fargraph {
namespace {

constexpr size_t kBatch = 64;

std::vector<VertexId> Members(size_t count) {
  std::vector<VertexId> members(count);
  std::iota(members.begin(), members.end(), 0);
  return members;
}

class DividedListTest : public ::testing::TestWithParam<std::tuple<size_t, int>> {};

TEST_P(DividedListTest, ATeamTakesEveryMemberOnce) {
  const auto [count, threads] = GetParam();
  const std::vector<VertexId> members = Members(count);
  DividedList<VertexId> list(members, threads);
  std::vector<VertexId> taken;
#pragma omp parallel num_threads(2)
  list.TakeAll(kBatch, [&](absl::Span<const VertexId> batch) {
    EXPECT_LE(batch.size(), kBatch);
#pragma omp critical
    taken.insert(taken.end(), batch.begin(), batch.end());
  });
  absl::c_sort(taken);
  EXPECT_EQ(taken, members);
  EXPECT_TRUE(list.Take(kBatch).empty());
}

INSTANTIATE_TEST_SUITE_P(Sizes, DividedListTest,
                         ::testing::Combine(::testing::Values(0, 1, 63, 64, 65, 1000, 100'000),
                                            ::testing::Values(1, 2, 3, 64)));

TEST(DividedListTest, AThreadBeginsWithItsOwnPartAndThenHelps) {
  const std::vector<VertexId> members = Members(256);
  DividedList<VertexId> list(members, 2);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    for (const VertexId first : {128, 192, 0, 64}) EXPECT_EQ(list.Take(kBatch).front(), first);
    EXPECT_TRUE(list.Take(kBatch).empty());
  }
}

}  // namespace
}  // namespace fargraph
