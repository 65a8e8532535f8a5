#include "algorithms/buckets.h"

#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

TEST(Buckets, HaveTheirTurnInOrder) {
  Buckets buckets;
  Buckets::Own& mine = buckets.OfThread(0);
  mine.Push(7, 70);
  mine.Push(2, 20);
  mine.Push(7, 71);
  ASSERT_TRUE(buckets.Next());
  EXPECT_EQ(buckets.current(), 2u);
  EXPECT_THAT(buckets.TakeCurrent(), ElementsAre(20));
  mine.Push(2, 21);  // into the one whose turn it is
  ASSERT_TRUE(buckets.Next());
  EXPECT_EQ(buckets.current(), 2u);
  EXPECT_THAT(buckets.Current(mine), ElementsAre(21));
  EXPECT_THAT(buckets.TakeCurrent(), ElementsAre(21));
  ASSERT_TRUE(buckets.Next());
  EXPECT_EQ(buckets.current(), 7u);
  EXPECT_THAT(buckets.TakeCurrent(), ElementsAre(70, 71));
  EXPECT_FALSE(buckets.Next());
}

TEST(Buckets, OfAllThreadsAreTakenTogether) {
  const ThreadCount count(3);
  Buckets buckets;
  for (int thread = 0; thread < 3; ++thread) buckets.OfThread(thread).Push(5, 10 + thread);
  ASSERT_TRUE(buckets.Next());
  EXPECT_THAT(buckets.TakeCurrent(), UnorderedElementsAre(10, 11, 12));
}

TEST(Buckets, ThatAreFarAwayComeInOrderToo) {
  Buckets buckets;
  Buckets::Own& mine = buckets.OfThread(0);
  mine.Push(0, 0);
  mine.Push(uint64_t{1} << 40, 40);
  mine.Push(100'000, 10);
  mine.Push(100'001, 11);
  mine.Push(uint64_t{1} << 62, 62);
  std::vector<uint64_t> turns;
  while (buckets.Next()) {
    turns.push_back(buckets.current());
    for (const VertexId v : buckets.TakeCurrent()) {
      if (v == 11) mine.Push(buckets.current() + 100'000, 12);
    }
  }
  EXPECT_THAT(turns,
              ElementsAre(0, 100'000, 100'001, 200'001, uint64_t{1} << 40, uint64_t{1} << 62));
}

TEST(Buckets, CountWhatWaitsForItsTurn) {
  const ThreadCount count(2);
  Buckets buckets;
  Buckets::Own& mine = buckets.OfThread(0);
  mine.Push(0, 0);
  mine.Push(1, 10);
  buckets.OfThread(1).Push(1, 11);
  mine.Push(uint64_t{1} << 40, 40);
  EXPECT_EQ(buckets.waiting(), 4u);
  ASSERT_TRUE(buckets.Next());
  EXPECT_EQ(buckets.waiting(), 3u);
  mine.Push(0, 1);
  EXPECT_EQ(buckets.waiting(), 3u) << "what belongs into the current one does not wait";
  buckets.TakeCurrent();
  ASSERT_TRUE(buckets.Next());
  EXPECT_EQ(buckets.waiting(), 1u);
  buckets.TakeCurrent();
  ASSERT_TRUE(buckets.Next());
  EXPECT_EQ(buckets.waiting(), 0u);
}

TEST(Buckets, CanBeFilledAnewAtTheBeginningOfATurn) {
  Buckets buckets;
  Buckets::Own& mine = buckets.OfThread(0);
  for (VertexId v = 0; v < 100; ++v) mine.Push(3 + v % 2, v);
  mine.Push(uint64_t{1} << 40, 40);
  ASSERT_TRUE(buckets.Next());
  buckets.Clear();
  EXPECT_EQ(buckets.waiting(), 0u);
  mine.Push(3, 33);
  mine.Push(5, 55);
  EXPECT_EQ(buckets.waiting(), 1u);
  EXPECT_THAT(buckets.TakeCurrent(), ElementsAre(33));
  ASSERT_TRUE(buckets.Next());
  EXPECT_EQ(buckets.current(), 5u);
  EXPECT_THAT(buckets.TakeCurrent(), ElementsAre(55));
  EXPECT_FALSE(buckets.Next());
}

}  // namespace
}  // namespace fargraph
