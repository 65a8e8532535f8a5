#include "algorithms/building_blocks/buckets.h"

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

TEST(Buckets, CountWhatWaitsForItsTurn) {
  const ThreadCount count(2);
  Buckets buckets;
  Buckets::Own& mine = buckets.OfThread(0);
  mine.Push(0, 0);
  mine.Push(1, 10);
  buckets.OfThread(1).Push(1, 11);
  mine.Push(Buckets::kOpen - 1, 40);
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

TEST(Buckets, BeginAnewWhereTheyAreOpened) {
  constexpr uint64_t kFirst = uint64_t{1} << 40;
  Buckets buckets;
  Buckets::Own& mine = buckets.OfThread(0);
  for (VertexId v = 0; v < 100; ++v) mine.Push(3 + v % 2, v);
  ASSERT_TRUE(buckets.Next());
  buckets.Open(kFirst, Buckets::kNone);
  EXPECT_EQ(buckets.waiting(), 0u);
  EXPECT_EQ(buckets.current(), kFirst);
  mine.Push(kFirst + Buckets::kOpen - 1, 55);
  mine.Push(kFirst, 33);
  EXPECT_EQ(buckets.waiting(), 2u);
  ASSERT_TRUE(buckets.Next());
  EXPECT_THAT(buckets.TakeCurrent(), ElementsAre(33));
  ASSERT_TRUE(buckets.Next());
  EXPECT_EQ(buckets.current(), kFirst + Buckets::kOpen - 1);
  EXPECT_THAT(buckets.TakeCurrent(), ElementsAre(55));
  EXPECT_FALSE(buckets.Next());
  buckets.Open(0, Buckets::kNone);
  EXPECT_FALSE(buckets.Next());
}

TEST(Buckets, LeaveOutWhoIsBeyondTheHorizon) {
  Buckets buckets;
  Buckets::Own& mine = buckets.OfThread(0);
  EXPECT_EQ(buckets.left_out(), Buckets::kNone);
  mine.Push(10, 0);
  mine.Push(Buckets::kOpen + 5, 1);
  mine.Push(Buckets::kOpen + 7, 2);
  EXPECT_EQ(buckets.left_out(), Buckets::kOpen + 5);
  ASSERT_TRUE(buckets.Next());  // ten buckets on, and so would the horizon be
  buckets.TakeCurrent();
  mine.Push(Buckets::kOpen + 4, 3);
  mine.Push(Buckets::kOpen + 6, 4);
  ASSERT_TRUE(buckets.Next());
  EXPECT_EQ(buckets.current(), Buckets::kOpen + 4);
  EXPECT_THAT(buckets.TakeCurrent(), ElementsAre(3));
  EXPECT_FALSE(buckets.Next());
  EXPECT_EQ(buckets.left_out(), Buckets::kOpen + 5);
}

TEST(Buckets, TheHorizonMovesOnAsLongAsNobodyIsLeftOut) {
  Buckets buckets;
  Buckets::Own& mine = buckets.OfThread(0);
  mine.Push(0, 0);
  constexpr uint64_t kTurns = 10;
  for (uint64_t turn = 0; turn < kTurns; ++turn) {
    ASSERT_TRUE(buckets.Next());
    EXPECT_THAT(buckets.TakeCurrent(), ElementsAre(turn));
    mine.Push(buckets.current() + Buckets::kOpen - 1, turn + 1);
  }
  EXPECT_EQ(buckets.left_out(), Buckets::kNone);
}

}  // namespace
}  // namespace fargraph
