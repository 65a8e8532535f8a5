#include "common/host/process_memory.h"

#include <malloc.h>
#include <pthread.h>

#include <cstring>
#include <thread>
#include <vector>

#include "common/memory/mapped_memory.h"
#include "common/units.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(PeakMemoryBytes, RisesWithPrivateMemoryAndStaysWhenItIsGone) {
  const uint64_t before = PeakMemoryBytes();
  {
    std::vector<char> block(64 * kMiB, 1);
    EXPECT_EQ(block[12345], 1);
  }
  EXPECT_GE(PeakMemoryBytes(), before + 32 * kMiB);
}

TEST(PeakMemoryBytes, DoesNotCountWhatIsShared) {
  auto shared = MappedMemory::Allocate(512 * kMiB, MappedMemory::Sharing::kShareable,
                                       MappedMemory::Pages::kSmall);
  ASSERT_TRUE(shared.ok());
  const uint64_t before = PeakMemoryBytes();
  std::memset(shared->data(), 1, shared->size());
  EXPECT_LE(PeakMemoryBytes(), before + 64 * kMiB);
}

TEST(PeakMemoryBytes, CanBeForgotten) {
  constexpr uint64_t kBytes = 64 * kMiB;
  {
    const auto memory = MappedMemory::Allocate(kBytes);
    ASSERT_TRUE(memory.ok()) << memory.status();
    std::memset(memory->data(), 1, kBytes);
  }
  const uint64_t before = PeakMemoryBytes();
  ForgetPeakMemory();
  EXPECT_LE(PeakMemoryBytes() + kBytes / 2, before);
}

TEST(MemoryBytes, DoesNotCountWhatWasReleased) {
  if (mallinfo2().uordblks == 0) GTEST_SKIP() << "another allocator than glibc's has its own rules";
  constexpr size_t kBlocks = 4096;
  constexpr size_t kBlockBytes = 8 * kKiB;
  const uint64_t before = MemoryBytes();
  {
    std::vector<std::vector<char>> blocks;
    for (size_t i = 0; i < kBlocks; ++i) blocks.emplace_back(kBlockBytes, 1);
    EXPECT_GE(MemoryBytes(), before + kBlocks * kBlockBytes / 2);
  }
  ReleaseFreeMemory();
  EXPECT_LE(MemoryBytes(), before + kBlocks * kBlockBytes / 2);
}

TEST(MemoryBytes, RisesAndFalls) {
  constexpr uint64_t kBytes = 64 * kMiB;
  const uint64_t before = MemoryBytes();
  {
    const auto memory = MappedMemory::Allocate(kBytes);
    ASSERT_TRUE(memory.ok()) << memory.status();
    std::memset(memory->data(), 1, kBytes);
    EXPECT_GE(MemoryBytes(), before + kBytes / 2);
  }
  EXPECT_LE(MemoryBytes(), before + kBytes / 2);
}

size_t OwnStackBytes() {
  pthread_attr_t attributes;
  size_t bytes = 0;
  EXPECT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes;
}

TEST(KeepStacksSmall, LeavesNoRoomForAHugePage) {
  KeepStacksSmall();
  size_t bytes = 0;
  std::thread([&] { bytes = OwnStackBytes(); }).join();
  EXPECT_GE(bytes, kMiB);
  EXPECT_LT(bytes, 2 * kMiB);
}

}  // namespace
}  // namespace fargraph
