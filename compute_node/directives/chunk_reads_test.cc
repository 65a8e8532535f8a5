#include "compute_node/directives/chunk_reads.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "compute_node/testing/fake_tier.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr uint64_t kReadBytes = 128;  // of a chunk
constexpr size_t kReadChunks = 50;

/// Two segments' chunks in a fake tier, and reads of them.
class ChunkReadsTest : public testing::TestWithParam<size_t> {
 protected:
  ChunkReadsTest() : far_(2 * kReadChunks * kReadBytes) {
    std::mt19937 random(7);
    for (std::byte& byte : far_) byte = static_cast<std::byte>(random());
  }

  static size_t buffers() { return GetParam(); }

  std::unique_ptr<ChunkReads> Open(uint64_t fail_after = ~uint64_t{0}) {
    const uint64_t bytes = buffers() * kReadBytes;
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(64, bytes)));
    return std::make_unique<ChunkReads>(
        std::make_unique<FakeTier>(absl::MakeSpan(far_), /*seed=*/3, fail_after),
        absl::MakeSpan(memory_.get(), bytes), kReadBytes);
  }

  static uint64_t AddressOf(SegmentChunk chunk) {
    return (chunk.segment * kReadChunks + chunk.chunk) * kReadBytes;
  }
  absl::Span<const std::byte> Written(SegmentChunk chunk) const {
    return absl::MakeConstSpan(far_).subspan(AddressOf(chunk), kReadBytes);
  }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  std::vector<std::byte> far_;
  std::unique_ptr<std::byte, Free> memory_;
};

TEST_P(ChunkReadsTest, HoldAsManyChunksAsThereAreBuffersInWhateverOrderTheyComeAndGo) {
  const std::unique_ptr<ChunkReads> reads = Open();
  std::mt19937 random(1);
  std::vector<SegmentChunk> started;
  for (int step = 0; step < 2000; ++step) {
    if (random() % 2 == 0) {
      const SegmentChunk chunk = {.segment = random() % 2, .chunk = random() % kReadChunks};
      if (absl::c_linear_search(started, chunk)) continue;
      const bool accepted = reads->Start(chunk, AddressOf(chunk), kReadBytes).value();
      if (accepted) started.push_back(chunk);
      ASSERT_LE(started.size(), buffers());
      ASSERT_TRUE(accepted || started.size() == buffers()) << step;
    } else if (!started.empty()) {
      const SegmentChunk chunk = started[random() % started.size()];
      const bool wait = random() % 2 == 0;
      while (wait && !reads->IsHere(chunk).value()) reads->Wait();
      if (reads->IsHere(chunk).value()) {
        ASSERT_EQ(reinterpret_cast<uintptr_t>(reads->Bytes(chunk)) % 64, 0u);
        ASSERT_EQ(absl::MakeConstSpan(reads->Bytes(chunk), kReadBytes), Written(chunk)) << step;
      }
      ASSERT_TRUE(reads->Release(chunk).ok());
      std::erase(started, chunk);
    }
  }
}

TEST_P(ChunkReadsTest, ABufferIsFreeAgainWhenWhatNobodyWantsHasArrived) {
  const std::unique_ptr<ChunkReads> reads = Open();
  for (uint64_t chunk = 0; chunk < kReadChunks; ++chunk) {
    const SegmentChunk first = {.segment = 0, .chunk = chunk};
    const SegmentChunk second = {.segment = 1, .chunk = chunk};
    ASSERT_TRUE(reads->Start(first, AddressOf(first), kReadBytes).value());
    ASSERT_TRUE(reads->Release(first).ok());
    ASSERT_TRUE(reads->Start(second, AddressOf(second), kReadBytes).value());
    while (!reads->IsHere(second).value()) reads->Wait();
    EXPECT_EQ(absl::MakeConstSpan(reads->Bytes(second), kReadBytes), Written(second));
    ASSERT_TRUE(reads->Release(second).ok());
  }
  EXPECT_EQ(reads->traffic().requests, 2 * kReadChunks);
  EXPECT_EQ(reads->traffic().bytes, 2 * kReadChunks * kReadBytes);
}

TEST_P(ChunkReadsTest, AFailedTierIsAnError) {
  const std::unique_ptr<ChunkReads> reads = Open(/*fail_after=*/1);
  absl::Status status;
  for (uint64_t chunk = 0; status.ok() && chunk < kReadChunks; ++chunk) {
    const SegmentChunk next = {.segment = 0, .chunk = chunk};
    const absl::StatusOr<bool> started = reads->Start(next, AddressOf(next), kReadBytes);
    status = started.status();
    for (bool here = false; status.ok() && *started && !here;) {
      const absl::StatusOr<bool> is_here = reads->IsHere(next);
      status = is_here.status();
      here = is_here.ok() && *is_here;
    }
    if (status.ok() && *started) status = reads->Release(next);
  }
  EXPECT_FALSE(status.ok());
}

TEST_P(ChunkReadsTest, NobodyWaitsForAFailedTier) {
  const std::unique_ptr<ChunkReads> reads = Open(/*fail_after=*/buffers());
  for (uint64_t chunk = 0; chunk < buffers(); ++chunk) {
    const SegmentChunk next = {.segment = 0, .chunk = chunk};
    if (reads->Start(next, AddressOf(next), kReadBytes).ok()) reads->Release(next).IgnoreError();
  }
  const SegmentChunk last = {.segment = 1, .chunk = 0};
  for (int time = 0; time < 2; ++time)
    EXPECT_FALSE(reads->Start(last, AddressOf(last), kReadBytes).ok()) << time;
}

INSTANTIATE_TEST_SUITE_P(Buffers, ChunkReadsTest, testing::Values(1, 2, 5));

}  // namespace
}  // namespace fargraph
