#include "graph/bitmap.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "common/memory/reusable_memory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

std::vector<size_t> SetBits(const Bitmap& bitmap, size_t begin, size_t end) {
  std::vector<size_t> bits;
  bitmap.ForEachSet(begin, end, [&](size_t bit) { bits.push_back(bit); });
  return bits;
}

TEST(Bitmap, VisitsExactlyTheSetBitsOfAnyRangeInOrder) {
  std::mt19937 random(7);
  for (size_t size : {1, 63, 64, 65, 1000}) {
    Bitmap bitmap(size);
    std::set<size_t> expected;
    for (size_t i = 0; i < size / 3 + 1; ++i) {
      const size_t bit = random() % size;
      EXPECT_EQ(bitmap.Set(bit), expected.insert(bit).second);
    }
    EXPECT_EQ(bitmap.Count(), expected.size());
    for (int trial = 0; trial < 100; ++trial) {
      const size_t begin = random() % (size + 1);
      const size_t end = begin + random() % (size + 1 - begin);
      const std::vector<size_t> in_range(expected.lower_bound(begin), expected.lower_bound(end));
      EXPECT_EQ(SetBits(bitmap, begin, end), in_range);
      EXPECT_EQ(bitmap.AnySet(begin, end), !in_range.empty());
    }
  }
}

TEST(Bitmap, OfManyThreadsOneSetsABit) {
  Bitmap bitmap(4096);
  std::atomic<size_t> won = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (size_t bit = 0; bit < bitmap.size(); ++bit) won += bitmap.Set(bit);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(won, bitmap.size());
}

TEST(Bitmap, AssigningWordsKeepsExactlyWhatIsWanted) {
  Bitmap bitmap(150);
  bitmap.Set(1);
  for (size_t word = 0; word < bitmap.words(); ++word) {
    bitmap.AssignWord(word, [](size_t bit) { return bit % 50 == 0; });
  }
  EXPECT_THAT(SetBits(bitmap, 0, 150), testing::ElementsAre(0, 50, 100));
}

TEST(Bitmap, MakesAnyWordOutOfAnyRange) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 1000; ++trial) {
    const uint64_t wanted = random() & random();
    const size_t begin = trial % 2 == 0 ? 0 : random() % 64;
    const size_t end = trial % 3 == 0 ? 64 : begin + random() % (65 - begin);
    const uint64_t below_end = end == 64 ? ~uint64_t{0} : (uint64_t{1} << end) - 1;
    const uint64_t in_range = below_end >> begin << begin;
    const auto keep = [&](size_t bit) { return ((wanted >> (bit % 64)) & 1) != 0; };
    EXPECT_EQ(Bitmap::MakeWord(2, 128 + begin, 128 + end, keep), wanted & in_range);
  }
}

TEST(Bitmap, ThreadsFillRangesThatShareWords) {
  constexpr size_t kRange = 100;
  const auto keep = [](size_t bit) { return bit % 3 == 0; };
  Bitmap bitmap(1000);
  std::vector<std::thread> threads;
  for (size_t begin = 0; begin < bitmap.size(); begin += kRange) {
    threads.emplace_back([&bitmap, &keep, begin] {
      const size_t end = begin + kRange;
      for (size_t word = begin / 64; word * 64 < end; ++word) {
        bitmap.SetWithin(word, begin, end, Bitmap::MakeWord(word, begin, end, keep));
      }
      EXPECT_TRUE(bitmap.AnySet(begin, end));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t bit = 0; bit < bitmap.size(); ++bit) EXPECT_EQ(bitmap.Test(bit), keep(bit)) << bit;
}

TEST(Bitmap, WhatIsKeptIsSetWhateverNumberSaysSo) {
  const auto keep = [](size_t bit) { return bit % 3 == 0 ? 2u : 0u; };
  Bitmap bitmap(200);  // whole groups, and one that is not
  for (size_t word = 0; word < bitmap.words(); ++word) bitmap.AssignWord(word, keep);
  for (size_t bit = 0; bit < bitmap.size(); ++bit) EXPECT_EQ(bitmap.Test(bit), bit % 3 == 0) << bit;
}

TEST(Bitmap, GrowingKeepsWhatIsSetAndSetsNothing) {
  Bitmap bits(70);
  bits.Set(3);
  bits.Set(69);
  for (const size_t size : {70, 71, 128, 1000}) {
    bits.Grow(size);
    EXPECT_EQ(bits.size(), size);
    EXPECT_EQ(bits.Count(), 2u);
    EXPECT_TRUE(bits.Test(3) && bits.Test(69));
  }
  bits.Set(999);
  EXPECT_TRUE(bits.Test(999));
}

TEST(Bitmap, ClearForgetsAll) {
  Bitmap bitmap(100);
  bitmap.Set(3);
  bitmap.Set(99);
  EXPECT_TRUE(bitmap.Test(99));
  bitmap.Clear();
  EXPECT_FALSE(bitmap.Test(99));
  EXPECT_THAT(SetBits(bitmap, 0, 100), testing::IsEmpty());
}

TEST(Bitmap, UnsharedBitsAreTheSameBits) {
  Bitmap shared(130), unshared(130);
  for (const size_t bit : {0, 63, 64, 65, 129}) {
    shared.Set(bit);
    unshared.SetUnshared(bit);
    unshared.SetUnshared(bit);
  }
  for (size_t bit = 0; bit < 130; ++bit) {
    EXPECT_EQ(unshared.Test(bit), shared.Test(bit)) << bit;
    EXPECT_EQ(shared.TestUnshared(bit), shared.Test(bit)) << bit;
  }
}

TEST(Bitmap, OfLargeOnesNoneIsLeftOut) {
  constexpr size_t kOnAllCores = (size_t{1} << 23) - 63;  // the least that takes 1 MiB
  std::mt19937 random(13);
  for (const size_t size : {kOnAllCores - 1, kOnAllCores, kOnAllCores + 64}) {
    Bitmap bitmap(size);
    EXPECT_EQ(bitmap.Count(), 0u);
    std::set<size_t> expected = {0, size - 1};
    for (int i = 0; i < 1000; ++i) expected.insert(random() % size);
    for (const size_t bit : expected) bitmap.Set(bit);
    const Bitmap copy = bitmap;
    bitmap.Clear();
    EXPECT_EQ(bitmap.Count(), 0u);
    EXPECT_FALSE(bitmap.AnySet(0, size));
    EXPECT_EQ(copy.Count(), expected.size());
    EXPECT_EQ(SetBits(copy, 0, size), std::vector<size_t>(expected.begin(), expected.end()));
  }
}

TEST(Bitmap, TakesTheMemoryOfAnEarlierOneAndIsClear) {
  const MemoryReuse reuse;
  constexpr size_t kBits = 50'000'001;
  {
    Bitmap first(kBits);
    for (size_t bit = 0; bit < kBits; bit += 63) first.Set(bit);
  }
  EXPECT_EQ(Bitmap(kBits).Count(), 0u);
}

TEST(Bitmap, SetsAllOfFewAndOfMany) {
  constexpr VertexId kVertices = 30'001;  // many share a word
  constexpr size_t kOnAllCores = size_t{1} << 14;
  std::mt19937 random(17);
  for (const size_t bits : {size_t{kVertices}, size_t{9'000'001}}) {  // the second on all cores
    for (const size_t count :
         {size_t{0}, size_t{1}, kOnAllCores - 1, kOnAllCores, kOnAllCores + 33}) {
      std::vector<VertexId> vertices(count);
      for (VertexId& v : vertices) v = random() % kVertices;
      Bitmap bitmap(bits);
      bitmap.SetAll(vertices);
      const std::set<size_t> expected(vertices.begin(), vertices.end());
      EXPECT_EQ(SetBits(bitmap, 0, bits), std::vector<size_t>(expected.begin(), expected.end()));
    }
  }
}

}  // namespace
}  // namespace fargraph
