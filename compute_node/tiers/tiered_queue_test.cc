#include "compute_node/tiers/tiered_queue.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "compute_node/testing/fake_tier.h"
#include "compute_node/tiers/far_space.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr uint64_t kTierBytes = 64 << 10;
constexpr uint64_t kSsdBlock = 512;

/// In the address space of SSDs.
class FakeSsds : public FakeTier {
 public:
  FakeSsds(absl::Span<std::byte> memory, unsigned seed, uint64_t fail_after = ~uint64_t{0})
      : FakeTier(memory, seed, fail_after, /*one_by_one=*/false, kSsdBlock) {}

  absl::Status Submit(absl::Span<const Extent> extents, uint32_t tag) override {
    std::vector<Extent> within(extents.begin(), extents.end());
    for (Extent& extent : within) {
      if (!IsOnSsd(extent.address)) return absl::InternalError("not of the SSDs");
      extent.address -= kSsdSpace;
    }
    return FakeTier::Submit(within, tag);
  }
};

/// Takes everything and lets nothing arrive.
class StuckTier : public TierQueue {
 public:
  absl::Status Submit(absl::Span<const Extent>, uint32_t) override {
    ++in_flight_;
    return absl::OkStatus();
  }
  absl::Status SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) override {
    return Submit(extents, tag);
  }
  absl::StatusOr<size_t> Poll(absl::Span<uint32_t>) override { return 0; }
  void Wait(absl::Duration timeout) override { waits_.push_back(timeout); }
  size_t in_flight() const override { return in_flight_; }
  TierTraffic traffic() const override { return {}; }
  const std::vector<absl::Duration>& waits() const { return waits_; }

 private:
  size_t in_flight_ = 0;
  std::vector<absl::Duration> waits_;
};

class TieredQueueTest : public testing::Test {
 protected:
  TieredQueueTest() {
    std::mt19937 random(1);
    for (auto* bytes : {&memory_, &ssds_}) {
      std::generate(bytes->begin(), bytes->end(), [&] { return std::byte(random()); });
    }
  }

  std::vector<std::byte> memory_ = std::vector<std::byte>(kTierBytes);
  std::vector<std::byte> ssds_ = std::vector<std::byte>(kTierBytes);
};

TEST_F(TieredQueueTest, WhatLiesOnBothSidesArrivesUnderOneTag) {
  constexpr uint32_t kTags = 5;
  constexpr uint64_t kSlot = 64 * kSsdBlock;
  alignas(kSsdBlock) static std::byte ring[kTags * kSlot];
  TieredQueue queue(std::make_unique<FakeTier>(absl::MakeSpan(memory_), 2),
                    std::make_unique<FakeSsds>(absl::MakeSpan(ssds_), 3), kTags);
  EXPECT_EQ(queue.block_bytes(), kSsdBlock);
  EXPECT_EQ(queue.BlockBytesAt(17), 1u);
  EXPECT_EQ(queue.BlockBytesAt(kSsdSpace + 17), kSsdBlock);

  std::mt19937 random(4);
  std::vector<std::vector<Extent>> asked(kTags);
  std::vector<uint32_t> free(kTags), done(kTags);
  std::iota(free.begin(), free.end(), 0);
  uint64_t bytes = 0, requests = 0;
  for (int started = 0; started < 300 || queue.in_flight() > 0;) {
    if (started < 300 && !free.empty()) {
      const uint32_t tag = free.back();
      free.pop_back();
      asked[tag].clear();
      for (uint64_t i = 0, count = 1 + random() % 8; i < count; ++i) {
        std::byte* const destination = ring + tag * kSlot + i * 8 * kSsdBlock;
        // Every block of an SSD once in a submission.
        const uint64_t first = (i * 16 + random() % 8) * kSsdBlock;
        asked[tag].push_back(
            random() % 2 == 0
                ? Extent{random() % (kTierBytes - 4000), 1 + random() % 4000, destination}
                : Extent{kSsdSpace + first, (1 + random() % 8) * kSsdBlock, destination});
        bytes += asked[tag].back().length;
        ++requests;
      }
      ASSERT_TRUE(queue.Submit(asked[tag], tag).ok());
      ++started;
      continue;
    }
    const auto count = queue.Poll(absl::MakeSpan(done));
    ASSERT_TRUE(count.ok()) << count.status();
    for (size_t i = 0; i < *count; ++i) {
      for (const Extent& extent : asked[done[i]]) {
        const auto& side = IsOnSsd(extent.address) ? ssds_ : memory_;
        const std::byte* const expected = side.data() + (extent.address & ~kSsdSpace);
        EXPECT_TRUE(std::equal(expected, expected + extent.length, extent.destination));
      }
      free.push_back(done[i]);
    }
    if (*count == 0) queue.Wait(absl::Seconds(1));
  }
  EXPECT_EQ(free.size(), kTags);
  EXPECT_EQ(queue.traffic().bytes, bytes);
  EXPECT_EQ(queue.traffic().requests, requests);
}

TEST_F(TieredQueueTest, ASideThatHangsHoldsUpTheOtherOnlyForMoments) {
  for (const bool ssds_hang : {false, true}) {
    auto stuck = std::make_unique<StuckTier>();
    const StuckTier& hanging = *stuck;
    std::unique_ptr<TierQueue> other =
        ssds_hang
            ? std::make_unique<FakeTier>(absl::MakeSpan(memory_), 5)
            : std::unique_ptr<TierQueue>(std::make_unique<FakeSsds>(absl::MakeSpan(ssds_), 5));
    TieredQueue queue(ssds_hang ? std::move(other) : std::move(stuck),
                      ssds_hang ? std::move(stuck) : std::move(other), /*tags=*/2);
    alignas(kSsdBlock) std::byte slots[2 * kSsdBlock];
    const uint64_t hanging_address = ssds_hang ? kSsdSpace : 0;
    const Extent never = {.address = hanging_address, .length = kSsdBlock, .destination = slots};
    ASSERT_TRUE(queue.Submit({&never, 1}, 0).ok());
    for (int i = 0; i < 100; ++i) {
      const Extent extent = {.address = kSsdSpace - hanging_address,
                             .length = kSsdBlock,
                             .destination = slots + kSsdBlock};
      ASSERT_TRUE(queue.Submit({&extent, 1}, 1).ok());
      std::vector<uint32_t> done(2);
      while (*queue.Poll(absl::MakeSpan(done)) == 0) queue.Wait(absl::Hours(1));
      EXPECT_EQ(done[0], 1u);
    }
    for (const absl::Duration wait : hanging.waits()) EXPECT_LE(wait, absl::Milliseconds(1));
    EXPECT_EQ(queue.in_flight(), 1u);
    queue.Wait(absl::Hours(1));
    EXPECT_EQ(hanging.waits().back(), absl::Hours(1)) << "there is nothing else to wait for";
  }
}

TEST_F(TieredQueueTest, AnErrorOfEitherSideIsOne) {
  for (const bool ssds_fail : {false, true}) {
    TieredQueue queue(
        std::make_unique<FakeTier>(absl::MakeSpan(memory_), 6, ssds_fail ? ~uint64_t{0} : 1),
        std::make_unique<FakeSsds>(absl::MakeSpan(ssds_), 7, ssds_fail ? 1 : ~uint64_t{0}),
        /*tags=*/1);
    alignas(kSsdBlock) std::byte slot[2 * kSsdBlock];
    const Extent extents[] = {
        {.address = 0, .length = 1, .destination = slot},
        {.address = kSsdSpace, .length = kSsdBlock, .destination = slot + kSsdBlock}};
    ASSERT_TRUE(queue.Submit(extents, 0).ok());
    uint32_t tag = 0;
    EXPECT_TRUE(absl::IsUnavailable(queue.Poll({&tag, 1}).status()));
  }
}

}  // namespace
}  // namespace fargraph
