#include "graph/vertex_array.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "common/host/process_memory.h"
#include "common/memory/reusable_memory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;

constexpr size_t kLarge = 3'000'001;  // several huge pages, filled on all cores

size_t HowMany(const VertexArray<int32_t>& array, int32_t value) {
  return absl::c_count(array, value);
}

TEST(VertexArray, IsZeroOrTheGivenValueThroughout) {
  EXPECT_EQ(HowMany(VertexArray<int32_t>(kLarge), 0), kLarge);
  EXPECT_EQ(HowMany(VertexArray<int32_t>(kLarge, -7), -7), kLarge);
  EXPECT_EQ(VertexArray<double>(0, 1.0).size(), 0u);
}

TEST(VertexArray, IsZeroWhereAnEarlierOneHasLeftItsValues) {
  const MemoryReuse reuse;
  const int32_t* place;
  {
    const VertexArray<int32_t> first(kLarge, 5);
    place = first.data();
  }
  const VertexArray<int32_t> second(kLarge);
  ASSERT_EQ(second.data(), place);
  EXPECT_EQ(HowMany(second, 0), kLarge);
}

TEST(VertexArray, TakesNoMemoryWhereNobodyHasWritten) {
  const MemoryReuse reuse;
  constexpr size_t kEnd = kLarge / 64;  // little even with what a sanitizer keeps about it
  const uint64_t before = MemoryBytes();
  for (int trial = 0; trial < 2; ++trial) {
    VertexArray<int32_t> array = VertexArray<int32_t>::Zeros(kLarge, kEnd);
    std::fill_n(array.data(), kEnd, 5);
    EXPECT_LT(MemoryBytes(), before + kLarge * sizeof(int32_t) / 2) << trial;
  }
  const VertexArray<int32_t> whole(kLarge);
  EXPECT_EQ(HowMany(whole, 0), kLarge);
}

TEST(VertexArray, CopiesAreApartAndMovesAreNot) {
  VertexArray<int32_t> first(3, 5);
  VertexArray<int32_t> copy = first;
  copy[1] = 6;
  EXPECT_THAT(first, ElementsAre(5, 5, 5));
  EXPECT_FALSE(first == copy);
  const int32_t* place = copy.data();
  first = std::move(copy);
  EXPECT_EQ(first.data(), place);
  EXPECT_THAT(first, ElementsAre(5, 6, 5));
}

TEST(VertexArray, LargeOnesBeginOnAHugePage) {
  constexpr uintptr_t kHugePageBytes = 2 << 20;
  const VertexArray<int32_t> large(kLarge);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(large.data()) % kHugePageBytes, 0u);
}

}  // namespace
}  // namespace fargraph
