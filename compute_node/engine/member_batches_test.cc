#include "compute_node/engine/member_batches.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "absl/algorithm/container.h"

namespace fargraph {
namespace {

std::vector<VertexId> Members(size_t count) {
  std::vector<VertexId> members(count);
  std::iota(members.begin(), members.end(), 0);
  return members;
}

class MemberBatchesTest : public ::testing::TestWithParam<std::tuple<size_t, int>> {};

TEST_P(MemberBatchesTest, ATeamTakesEveryMemberOnce) {
  const auto [count, threads] = GetParam();
  const std::vector<VertexId> members = Members(count);
  MemberBatches batches(members, threads);
  std::vector<VertexId> taken;
#pragma omp parallel num_threads(2)
  for (auto batch = batches.Take(); !batch.empty(); batch = batches.Take()) {
    EXPECT_LE(batch.size(), MemberBatches::kBatch);
#pragma omp critical
    taken.insert(taken.end(), batch.begin(), batch.end());
  }
  absl::c_sort(taken);
  EXPECT_EQ(taken, members);
  EXPECT_TRUE(batches.Take().empty());
}

INSTANTIATE_TEST_SUITE_P(Sizes, MemberBatchesTest,
                         ::testing::Combine(::testing::Values(0, 1, 63, 64, 65, 1000, 100'000),
                                            ::testing::Values(1, 2, 3, 64)));

TEST(MemberBatchesTest, AThreadBeginsWithItsOwnPartAndThenHelps) {
  const std::vector<VertexId> members = Members(256);
  MemberBatches batches(members, 2);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    for (const VertexId first : {128, 192, 0, 64}) EXPECT_EQ(batches.Take().front(), first);
    EXPECT_TRUE(batches.Take().empty());
  }
}

}  // namespace
}  // namespace fargraph
