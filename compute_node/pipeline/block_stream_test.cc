#include "compute_node/pipeline/block_stream.h"

#include <algorithm>
#include <random>
#include <vector>

#include "compute_node/testing/fake_tier.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr uint64_t kBlock = BlockStream::kBlockBytes;

/// Far bytes and a stream to them.
struct Far {
  explicit Far(uint64_t bytes, unsigned seed, uint64_t fail_after = ~uint64_t{0})
      : memory(bytes, std::byte{1}),
        ring(BlockStream::kRingBytes),
        tier(new FakeTier(absl::MakeSpan(memory), seed, fail_after)),
        stream(std::unique_ptr<TierQueue>(tier), absl::MakeSpan(ring)) {}

  std::vector<std::byte> memory;
  std::vector<std::byte> ring;
  FakeTier* tier;  // the stream's
  BlockStream stream;
};

/// Calls visit(offset, bytes) for each block.
template <typename Visit>
absl::Status ForEachBlock(BlockStream& stream, uint64_t address, uint64_t bytes, Pass pass,
                          Visit&& visit) {
  if (absl::Status status = stream.Begin(address, bytes, pass); !status.ok()) return status;
  for (uint64_t offset = 0; offset < bytes; offset += kBlock) {
    const auto block = stream.Next();
    if (!block.ok()) return block.status();
    EXPECT_EQ(block->size(), std::min(kBlock, bytes - offset));
    visit(offset, *block);
  }
  return stream.End();
}

class BlockStreamTest : public testing::TestWithParam<uint64_t> {};

TEST_P(BlockStreamTest, PassesSeeAndLeaveWhatTheyShould) {
  const uint64_t bytes = GetParam();
  constexpr uint64_t kBefore = 1000, kBehind = 500;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Far far(kBefore + bytes + kBehind, seed);
    std::mt19937 random(seed);
    std::vector<std::byte> expected(bytes);
    for (std::byte& byte : expected) byte = static_cast<std::byte>(random());
    const auto write = [&](uint64_t offset, absl::Span<std::byte> block) {
      std::copy_n(expected.begin() + offset, block.size(), block.begin());
    };
    const auto compare = [&](uint64_t offset, absl::Span<std::byte> block) {
      EXPECT_TRUE(std::equal(block.begin(), block.end(), expected.begin() + offset)) << offset;
    };
    const auto flip = [&](uint64_t offset, absl::Span<std::byte> block) {
      compare(offset, block);
      for (std::byte& byte : block) byte ^= std::byte{0x5a};
    };
    ASSERT_TRUE(ForEachBlock(far.stream, kBefore, bytes, Pass::kWrite, write).ok());
    EXPECT_EQ(far.stream.traffic().bytes, bytes);
    ASSERT_TRUE(ForEachBlock(far.stream, kBefore, bytes, Pass::kUpdate, flip).ok());
    EXPECT_EQ(far.stream.traffic().bytes, 3 * bytes);
    for (std::byte& byte : expected) byte ^= std::byte{0x5a};
    ASSERT_TRUE(ForEachBlock(far.stream, kBefore, bytes, Pass::kRead, compare).ok());
    EXPECT_EQ(far.stream.traffic().bytes, 4 * bytes);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), far.memory.begin() + kBefore));
    EXPECT_EQ(std::count(far.memory.begin(), far.memory.begin() + kBefore, std::byte{1}), kBefore);
    EXPECT_EQ(std::count(far.memory.end() - kBehind, far.memory.end(), std::byte{1}), kBehind);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, BlockStreamTest,
                         testing::Values(0, 1, kBlock - 8, kBlock, kBlock + 8, 4 * kBlock,
                                         23 * kBlock + 99));

TEST(BlockStream, WhatGoesOrComesIsUnderWayWhileABlockIsComputedOn) {
  for (const Pass pass : {Pass::kRead, Pass::kWrite, Pass::kUpdate}) {
    Far far(10 * kBlock, /*seed=*/1);
    ASSERT_TRUE(ForEachBlock(far.stream, 0, 10 * kBlock, pass, [&](auto, auto) {
                  EXPECT_EQ(far.tier->unsent(), 0);
                }).ok());
  }
}

TEST(BlockStream, WritesLandWhereTheyShould) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Far far(40 * kBlock, seed);
    std::mt19937 random(seed);
    std::vector<std::byte> expected = far.memory;
    for (const uint64_t block : {7, 3, 39, 0, 12, 13, 14, 2}) {
      const uint64_t offset = block * kBlock + random() % 100;
      const uint64_t bytes = block == 0 ? kBlock : 1 + random() % 1000;
      const absl::Span<std::byte> room = far.stream.Write(offset, bytes);
      ASSERT_EQ(room.size(), bytes);
      for (uint64_t i = 0; i < bytes; ++i) room[i] = expected[offset + i] = std::byte(random());
      EXPECT_EQ(far.tier->unsent(), 0) << "what came before is on its way";
    }
    ASSERT_TRUE(far.stream.End().ok());
    EXPECT_EQ(far.memory, expected);
    const auto compare = [&](uint64_t offset, absl::Span<std::byte> block) {
      EXPECT_TRUE(std::equal(block.begin(), block.end(), expected.begin() + offset)) << offset;
    };
    ASSERT_TRUE(ForEachBlock(far.stream, 0, 40 * kBlock, Pass::kRead, compare).ok());
  }
}

TEST(BlockStream, TheEndTellsOfAFailedWrite) {
  Far far(10 * kBlock, /*seed=*/1, /*fail_after=*/3);
  for (uint64_t block = 0; block < 10; ++block) {
    EXPECT_EQ(far.stream.Write(block * kBlock, 100).size(), 100u);
  }
  EXPECT_EQ(far.stream.End().code(), absl::StatusCode::kUnavailable);
}

TEST(BlockStream, TheTiersErrorPassesThrough) {
  Far far(10 * kBlock, /*seed=*/1, /*fail_after=*/7);
  EXPECT_EQ(ForEachBlock(far.stream, 0, 10 * kBlock, Pass::kUpdate, [](auto, auto) {}).code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace fargraph
