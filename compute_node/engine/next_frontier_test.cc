#include "compute_node/engine/next_frontier.h"

#include <omp.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

#include "compute_node/testing/thread_count.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

std::set<VertexId> MembersOf(const VertexSubset& subset) {
  std::set<VertexId> members;
  const Bitmap bits = subset.ToBitmap();
  bits.ForEachSet(0, bits.size(), [&](size_t v) { members.insert(static_cast<VertexId>(v)); });
  return members;
}

/// Threads offer lists of vertices, of which those divisible by a number are new the first time.
class NextFrontierTest : public testing::TestWithParam<int> {
 protected:
  static constexpr VertexId kVertices = 100'000;

  static std::vector<std::vector<VertexId>> RandomLists(std::mt19937& random, size_t count) {
    std::vector<std::vector<VertexId>> lists(count);
    for (auto& list : lists) {
      list.resize(random() % 700);
      for (VertexId& v : list) v = random() % kVertices;
    }
    return lists;
  }

  static std::set<VertexId> Offer(NextFrontier& frontier,
                                  const std::vector<std::vector<VertexId>>& lists,
                                  VertexId divisor) {
    Bitmap seen(kVertices);
#pragma omp parallel for num_threads(GetParam()) schedule(dynamic)
    for (const auto& list : lists) {
      const auto is_new = [&](size_t i) { return list[i] % divisor == 0 && seen.Set(list[i]); };
      if (list.size() % 2 == 0) {
        frontier.part().AddIf(list, is_new);
      } else {
        for (size_t i = 0; i < list.size(); ++i) {
          if (is_new(i)) frontier.part().Add(list[i]);
        }
      }
    }
    return MembersOf(VertexSubset(std::move(seen)));
  }
};

TEST_P(NextFrontierTest, HoldsWhatTheStepFoundAndBeginsAnew) {
  std::mt19937 random(GetParam());
  NextFrontier frontier(kVertices);
  for (const VertexId divisor : {1, 3, 1000, 1, 1'000'000, 2}) {
    for (const size_t lists : {0, 1, 5, 60, 2000}) {
      const std::set<VertexId> found = Offer(frontier, RandomLists(random, lists), divisor);
      const VertexSubset next = frontier.Take();
      EXPECT_EQ(next.size(), found.size());
      EXPECT_EQ(MembersOf(next), found);
      EXPECT_TRUE(next.is_sparse() || found.size() > 512);
    }
  }
}

TEST_P(NextFrontierTest, TakesWhatWasFoundByBits) {
  NextFrontier frontier(kVertices);
  frontier.bits().Set(7);
  frontier.bits().Set(kVertices - 1);
  EXPECT_EQ(MembersOf(frontier.TakeBits()), (std::set<VertexId>{7, kVertices - 1}));
  EXPECT_TRUE(frontier.TakeBits().empty());
}

TEST(NextFrontier, OfManyThreadsEachHasRoomForAFewTimesItsShare) {
  constexpr uint64_t kMany = uint64_t{1} << 30;
  const auto list_bytes = [](int threads) {
    const ThreadCount scope(threads);
    return NextFrontier::Segment(kMany).bytes - Bitmap::StorageBytes(kMany);
  };
  const uint64_t one_list = VertexSubset::MostSparse(kMany) * sizeof(VertexId);
  EXPECT_NEAR(list_bytes(2), 2 * one_list, 10'000);
  EXPECT_NEAR(list_bytes(128), 4 * one_list, 500'000);
}

INSTANTIATE_TEST_SUITE_P(Threads, NextFrontierTest, testing::Range(1, omp_get_max_threads() + 1));

}  // namespace
}  // namespace fargraph
