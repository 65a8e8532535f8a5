#include "common/memory/reusable_memory.h"

#include <sys/mman.h>

#include <cstring>
#include <utility>
#include <vector>

#include "common/host/huge_pages.h"
#include "common/host/process_memory.h"
#include "common/units.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr uint64_t kBytes = 32 * kMiB;

/// Written to throughout, so that it counts.
ReusableMemory Used(uint64_t bytes) {
  ReusableMemory memory = ReusableMemory::Allocate(bytes).value();
  std::memset(memory.data(), 1, bytes);
  return memory;
}

TEST(ReusableMemory, IsZeroedAndGoesBackWhereNobodyKeepsIt) {
  const uint64_t before = MemoryBytes();
  { const ReusableMemory memory = Used(kBytes); }
  EXPECT_LT(MemoryBytes(), before + kBytes / 2);
  const ReusableMemory next = ReusableMemory::Allocate(kBytes).value();
  EXPECT_EQ(next.used_bytes(), 0);
  EXPECT_EQ(next.data()[kBytes - 1], std::byte{0});
}

TEST(ReusableMemory, IsGivenToTheNextThatAsksForAsMuch) {
  const MemoryReuse reuse;
  std::byte* first;
  {
    const ReusableMemory memory = Used(kBytes - 100);  // as many pages
    first = memory.data();
  }
  const ReusableMemory second = ReusableMemory::Allocate(kBytes).value();
  EXPECT_EQ(second.data(), first);
  EXPECT_EQ(second.used_bytes(), kBytes - 100);
  const ReusableMemory third = ReusableMemory::Allocate(kBytes).value();
  EXPECT_EQ(third.used_bytes(), 0) << "there was one";
}

TEST(ReusableMemory, TellsHowMuchOfItAnOwnerMayHaveUsed) {
  const MemoryReuse reuse;
  { const ReusableMemory memory = ReusableMemory::Allocate(kBytes, kBytes / 4).value(); }
  const ReusableMemory next = ReusableMemory::Allocate(kBytes).value();
  EXPECT_EQ(next.used_bytes(), kBytes / 4);
}

TEST(ReusableMemory, BehindAShorterOwnerNothingIsLeftOfTheOneBefore) {
  const MemoryReuse reuse;
  { const ReusableMemory memory = Used(kBytes); }
  { const ReusableMemory memory = Used(kBytes - 100); }  // as many pages
  const ReusableMemory next = ReusableMemory::Allocate(kBytes).value();
  EXPECT_EQ(next.used_bytes(), kBytes - 100);
  EXPECT_EQ(next.data()[kBytes - 100], std::byte{0});
  EXPECT_EQ(next.data()[kBytes - 1], std::byte{0});
}

TEST(ReusableMemory, HasNoHugePageThatReachesBehindWhatIsUsed) {
  constexpr uint64_t kForUse = kHugePageBytes + 64 * kKiB;
  const ReusableMemory memory = ReusableMemory::Allocate(2 * kHugePageBytes, kForUse).value();
  std::memset(memory.data(), 1, kForUse);
  unsigned char resident = 2;
  ASSERT_EQ(mincore(memory.data() + kForUse, 1, &resident), 0);
  EXPECT_EQ(resident & 1, 0);
}

TEST(ReusableMemory, GoesBackAsSoonAsAnotherSizeIsAskedFor) {
  const MemoryReuse reuse;
  const uint64_t before = MemoryBytes();
  { const ReusableMemory memory = Used(kBytes); }
  EXPECT_GE(MemoryBytes(), before + kBytes / 2) << "it was not kept";
  const ReusableMemory other = Used(kBytes / 4);
  EXPECT_LT(MemoryBytes(), before + kBytes / 2);
}

TEST(ReusableMemory, GoesBackWhenTheLastMemoryReuseEnds) {
  const uint64_t before = MemoryBytes();
  {
    const MemoryReuse outer;
    {
      const MemoryReuse inner;
      { const ReusableMemory memory = Used(kBytes); }
    }
    EXPECT_GE(MemoryBytes(), before + kBytes / 2);
  }
  EXPECT_LT(MemoryBytes(), before + kBytes / 2);
}

TEST(ReusableMemory, StaysWithItsOwnerWhenItIsMoved) {
  const MemoryReuse reuse;
  ReusableMemory memory = Used(kBytes);
  std::byte* const data = memory.data();
  const ReusableMemory owner = std::move(memory);
  EXPECT_EQ(owner.data(), data);
  EXPECT_NE(ReusableMemory::Allocate(kBytes).value().data(), data);
}

}  // namespace
}  // namespace fargraph
