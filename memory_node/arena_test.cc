#include "memory_node/arena.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ArenaTest : public ::testing::TestWithParam<bool> {};

TEST_P(ArenaTest, MemoryIsZeroWhenItIsLentAgain) {
  auto arena = Arena::Map(kMiB);
  ASSERT_TRUE(arena.ok()) << arena.status();
  if (GetParam()) (*arena)->PinPages();
  const Extent extent = *(*arena)->Allocate(100'000);
  std::byte* bytes = (*arena)->memory().data() + extent.offset;
  std::memset(bytes, 0x5a, extent.length);
  (*arena)->Reclaim(extent);
  EXPECT_EQ(*(*arena)->Allocate(100'000), extent);
  EXPECT_TRUE(std::all_of(bytes, bytes + extent.length,
                          [](std::byte byte) { return byte == std::byte{}; }));
}

INSTANTIATE_TEST_SUITE_P(Pinned, ArenaTest, testing::Bool(), testing::PrintToStringParamName());

TEST(Arena, AllOfALargeExtentIsZeroed) {
  auto arena = Arena::Map(150 * kMiB);
  ASSERT_TRUE(arena.ok()) << arena.status();
  (*arena)->PinPages();
  const Extent extent = *(*arena)->Allocate(150 * kMiB);
  const std::vector<uint64_t> marked = {0, 64 * kMiB - 1, 64 * kMiB, 128 * kMiB, 150 * kMiB - 1};
  for (const uint64_t at : marked) (*arena)->memory().data()[at] = std::byte{1};
  (*arena)->Reclaim(extent);
  for (const uint64_t at : marked) EXPECT_EQ((*arena)->memory().data()[at], std::byte{0}) << at;
}

TEST(Arena, APopulatedExtentHasItsPages) {
  auto arena = Arena::Map(150 * kMiB);
  ASSERT_TRUE(arena.ok()) << arena.status();
  const auto pages = [&] {
    struct stat file = {};
    EXPECT_EQ(fstat((*arena)->memory().fd(), &file), 0);
    return static_cast<uint64_t>(file.st_blocks) * 512;
  };
  const Extent extent = *(*arena)->Allocate(130 * kMiB);
  const bool small_pages = (*arena)->memory().page_bytes() == 4 * kKiB;
  EXPECT_TRUE(pages() == 0 || !small_pages);
  ASSERT_TRUE((*arena)->Populate(extent).ok());
  EXPECT_GE(pages(), 130 * kMiB);
}

TEST(Arena, RefusesWithWhatIsLeft) {
  auto arena = Arena::Map(kMiB);
  ASSERT_TRUE(arena.ok()) << arena.status();
  const Extent first = *(*arena)->Allocate(512 * kKiB);
  ASSERT_TRUE((*arena)->Allocate(256 * kKiB).ok());
  (*arena)->Reclaim(first);
  EXPECT_EQ((*arena)->FreeBytes(), 768 * kKiB);
  const auto refused = (*arena)->Allocate(600 * kKiB);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(refused.status().message(),
              AllOf(HasSubstr("600 KiB do not fit"), HasSubstr("of its 1 MiB"),
                    HasSubstr("768 KiB are free"), HasSubstr("piece of them 512 KiB"),
                    HasSubstr("--capacity")));
}

TEST(Arena, MoreThanTheHostHasIsRefusedWithNumbers) {
  const auto arena = Arena::Map(512 * kTiB);
  EXPECT_EQ(arena.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(arena.status().message(),
              AllOf(HasSubstr("512 TiB"), HasSubstr("this host has"), HasSubstr("--capacity")));
}

TEST(Arena, NoCapacityIsRefused) {
  EXPECT_EQ(Arena::Map(0).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fargraph
