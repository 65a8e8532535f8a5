#include "common/memory/mapped_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "common/host/huge_pages.h"
#include "common/units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(MappedMemory, IsZeroedAndRoundedUpToItsPages) {
  const auto memory = MappedMemory::Allocate(5000);
  ASSERT_TRUE(memory.ok()) << memory.status();
  EXPECT_EQ(memory->size() % memory->page_bytes(), 0u);
  EXPECT_GE(memory->size(), 5000u);
  EXPECT_TRUE(std::all_of(memory->bytes().begin(), memory->bytes().end(),
                          [](std::byte byte) { return byte == std::byte{0}; }));
}

TEST(MappedMemory, StatesWhyItsPagesAreNotLarger) {
  const auto memory = MappedMemory::Allocate(4 * kMiB);
  ASSERT_TRUE(memory.ok()) << memory.status();
  const bool transparent = ReadHugePages().transparent == HugePages::Transparent::kOn;
  const std::string small =
      transparent ? "transparent huge pages where the kernel finds some" : "4 KiB pages";
  if (memory->page_bytes() == 4 * kKiB) {
    EXPECT_EQ(memory->description(), small + "; reserved 2 MiB huge pages: 2 wanted, fewer free");
  } else {
    EXPECT_EQ(memory->description(), "2 MiB huge pages");
  }
}

TEST(MappedMemory, ShareableMemoryIsSeenThroughASecondMapping) {
  auto memory = MappedMemory::Allocate(kMiB, MappedMemory::Sharing::kShareable);
  ASSERT_TRUE(memory.ok()) << memory.status();
  const auto view = MappedMemory::MapShared(memory->fd(), /*writable=*/false);
  ASSERT_TRUE(view.ok()) << view.status();
  std::memcpy(memory->data() + 12345, "edge", 4);
  EXPECT_EQ(std::memcmp(view->data() + 12345, "edge", 4), 0);
}

TEST(MappedMemory, PopulatedPagesAreThereBeforeTheFirstTouch) {
  auto memory = MappedMemory::Allocate(8 * 4096, MappedMemory::Sharing::kPrivate,
                                       MappedMemory::Pages::kSmall);
  ASSERT_TRUE(memory.ok()) << memory.status();
  memory->Populate();
  std::array<unsigned char, 8> is_there = {};
  ASSERT_EQ(mincore(memory->data(), memory->size(), is_there.data()), 0);
  EXPECT_THAT(is_there, testing::Each(1));
}

TEST(MappedMemory, DiscardedPagesReadAsZeroAndTheirNeighboursStay) {
  for (const auto sharing : {MappedMemory::Sharing::kPrivate, MappedMemory::Sharing::kShareable}) {
    auto memory = MappedMemory::Allocate(8 * 4096, sharing, MappedMemory::Pages::kSmall);
    ASSERT_TRUE(memory.ok()) << memory.status();
    std::memset(memory->data(), 1, memory->size());
    ASSERT_TRUE(memory->Discard(100, 3 * 4096).ok());  // whole pages within it: 1 and 2
    EXPECT_EQ(memory->data()[4095], std::byte{1});
    EXPECT_EQ(memory->data()[4096], std::byte{0});
    EXPECT_EQ(memory->data()[3 * 4096 - 1], std::byte{0});
    EXPECT_EQ(memory->data()[3 * 4096], std::byte{1});
  }
}

TEST(MappedMemory, AnImpossibleSizeIsRefused) {
  EXPECT_EQ(MappedMemory::Allocate(kTiB << 20).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(MappedMemory, MovingHandsOverTheMapping) {
  auto memory = MappedMemory::Allocate(4096);
  ASSERT_TRUE(memory.ok()) << memory.status();
  std::byte* data = memory->data();
  const MappedMemory moved = std::move(*memory);
  EXPECT_EQ(moved.data(), data);
}

}  // namespace
}  // namespace fargraph
