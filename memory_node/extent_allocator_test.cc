#include "memory_node/extent_allocator.h"

#include <algorithm>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(ExtentAllocator, GivesTheFirstPieceThatFits) {
  ExtentAllocator allocator(100, 10);
  EXPECT_EQ(allocator.Allocate(30), (Extent{0, 30}));
  EXPECT_EQ(allocator.Allocate(20), (Extent{30, 20}));
  EXPECT_EQ(allocator.Allocate(10), (Extent{50, 10}));
  allocator.Free({30, 20});
  EXPECT_EQ(allocator.Allocate(30), (Extent{60, 30}));
  EXPECT_EQ(allocator.Allocate(10), (Extent{30, 10}));
}

TEST(ExtentAllocator, RoundsUpToTheAlignment) {
  ExtentAllocator allocator(100, 10);
  EXPECT_EQ(allocator.Allocate(1), (Extent{0, 10}));
  EXPECT_EQ(allocator.Allocate(11), (Extent{10, 20}));
  EXPECT_EQ(allocator.free_bytes(), 70u);
}

TEST(ExtentAllocator, RefusesWhatDoesNotFitInOnePiece) {
  ExtentAllocator allocator(100, 10);
  const Extent first = *allocator.Allocate(40);
  allocator.Allocate(10);
  allocator.Free(first);
  EXPECT_EQ(allocator.free_bytes(), 90u);
  EXPECT_EQ(allocator.LargestFree(), 50u);
  EXPECT_EQ(allocator.Allocate(60), std::nullopt);
  EXPECT_EQ(allocator.Allocate(UINT64_MAX), std::nullopt);
  EXPECT_EQ(allocator.Allocate(50), (Extent{50, 50}));
}

TEST(ExtentAllocator, JoinsFreedNeighboursOnBothSides) {
  ExtentAllocator allocator(40, 10);
  std::vector<Extent> extents;
  for (int i = 0; i < 4; ++i) extents.push_back(*allocator.Allocate(10));
  EXPECT_EQ(allocator.LargestFree(), 0u);
  allocator.Free(extents[0]);
  allocator.Free(extents[2]);
  EXPECT_EQ(allocator.LargestFree(), 10u);
  allocator.Free(extents[1]);
  EXPECT_EQ(allocator.LargestFree(), 30u);
  allocator.Free(extents[3]);
  EXPECT_EQ(allocator.Allocate(40), (Extent{0, 40}));
}

/// Any order of allocations and frees keeps what a map of bytes keeps: no byte belongs to two
/// extents, the free bytes are the others, and the largest free piece is the longest run of them.
TEST(ExtentAllocator, AgreesWithAMapOfItsBytes) {
  constexpr uint64_t kCapacity = 512;
  constexpr uint64_t kAlignment = 4;
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    ExtentAllocator allocator(kCapacity, kAlignment);
    std::vector<bool> used(kCapacity, false);
    std::vector<Extent> live;
    const auto mark = [&used](const Extent& extent, bool value) {
      for (uint64_t i = extent.offset; i < extent.offset + extent.length; ++i) {
        ASSERT_NE(used.at(i), value) << "byte " << i;
        used[i] = value;
      }
    };
    const auto longest_free_run = [&used] {
      uint64_t run = 0;
      uint64_t longest = 0;
      for (const bool byte : used) {
        run = byte ? 0 : run + 1;
        longest = std::max(longest, run);
      }
      return longest;
    };

    for (int step = 0; step < 300; ++step) {
      const uint64_t largest = longest_free_run();
      ASSERT_EQ(allocator.LargestFree(), largest);
      ASSERT_EQ(allocator.free_bytes(),
                static_cast<uint64_t>(std::count(used.begin(), used.end(), false)));
      if (live.empty() || random() % 3 != 0) {
        const uint64_t bytes = 1 + random() % 96;
        const auto extent = allocator.Allocate(bytes);
        ASSERT_EQ(extent.has_value(),
                  (bytes + kAlignment - 1) / kAlignment * kAlignment <= largest);
        if (!extent) continue;
        ASSERT_EQ(extent->offset % kAlignment, 0u);
        ASSERT_GE(extent->length, bytes);
        ASSERT_LT(extent->length, bytes + kAlignment);
        mark(*extent, true);
        live.push_back(*extent);
      } else {
        std::swap(live[random() % live.size()], live.back());
        allocator.Free(live.back());
        mark(live.back(), false);
        live.pop_back();
      }
    }
  }
}

}  // namespace
}  // namespace fargraph
