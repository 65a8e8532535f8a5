#include "compute_node/tiers/link_sweep.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "common/units.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

/// A link that behaves as its profile says, with what a profile does not know.
struct SimulatedLink {
  std::string name;
  LinkProfile profile;
  uint32_t most_depth_of_queue_pair = 1000;  ///< of what is beyond it, nothing comes of it
  uint64_t cache_bytes = uint64_t{1} << 40;  ///< a thread with more in flight gets half

  double ReadsPerSecond(const ReadLoad& load) const {
    const uint32_t depth = std::min(load.depth, load.queue_pairs * most_depth_of_queue_pair);
    const double rate = 1 / profile.SecondsPerRead(load.bytes, depth);
    return load.bytes * load.depth > cache_bytes ? rate / 2 : rate;
  }
};

constexpr uint32_t kThreads = 4;
constexpr uint64_t kRingBytes = 8 * kMiB;

const SimulatedLink kLinks[] = {
    {.name = "100 Gb/s RDMA", .profile = {kThreads, 12e9, 20e6, 3e-6}},
    {.name = "10 Gb/s TCP", .profile = {kThreads, 1.2e9, 300e3, 40e-6}},
    {.name = "1 Gb/s TCP", .profile = {kThreads, 0.12e9, 200e3, 100e-6}},
    {.name = "far away", .profile = {kThreads, 2e9, 200e3, 2e-3}},
    {.name = "memory", .profile = {kThreads, 40e9, 30e6, 0.3e-6}},
    {.name = "memory with a cache",
     .profile = {kThreads, 40e9, 30e6, 0.3e-6},
     .cache_bytes = 256 * kKiB},
    {.name = "16 reads to a queue pair",
     .profile = {kThreads, 48e9, 20e6, 30e-6},
     .most_depth_of_queue_pair = 16},
};

class LinkSweepTest : public testing::TestWithParam<SimulatedLink> {
 protected:
  /// Of what a sweep of everything by hand would find the best.
  double BestRate(uint64_t largest_bytes) const {
    double best = 0;
    for (uint64_t bytes = kLeastChunkBytes; bytes <= largest_bytes; bytes *= 2) {
      for (const uint32_t queue_pairs : {1, 2, 4}) {
        for (uint32_t depth = 1; depth < kMostSlots && bytes * depth <= kRingBytes; depth *= 2) {
          best = std::max(best, BytesPerSecond({bytes, depth, queue_pairs}));
        }
      }
    }
    return best;
  }

  double BytesPerSecond(const ReadLoad& load) const {
    return static_cast<double>(load.bytes) * GetParam().ReadsPerSecond(load);
  }

  absl::StatusOr<LinkSweep> Sweep(const std::function<double(int measurement)>& disturbance) {
    measurements_ = 0;
    return SweepLink({.threads = kThreads, .ring_bytes = kRingBytes},
                     [&](const ReadLoad& load) -> absl::StatusOr<std::optional<double>> {
                       EXPECT_LE(load.bytes, kLargestChunkBytes);
                       EXPECT_LE(load.bytes * load.depth, kRingBytes);
                       return GetParam().ReadsPerSecond(load) * disturbance(++measurements_);
                     });
  }

  static ReadLoad Chosen(const LinkTuning& tuning) {
    return {tuning.chunk_bytes, DepthWith(tuning.slots), tuning.queue_pairs};
  }

  int measurements_ = 0;
};

TEST_P(LinkSweepTest, ChoosesAsWellAsASweepOfEverything) {
  const auto sweep = Sweep([](int) { return 1.0; });
  ASSERT_TRUE(sweep.ok()) << sweep.status();
  EXPECT_GE(BytesPerSecond(Chosen(sweep->tuning)), 0.94 * BestRate(kLargestChunkBytes));
  EXPECT_TRUE(std::has_single_bit(sweep->tuning.chunk_bytes));
  EXPECT_GE(sweep->tuning.chunk_bytes, kLeastChunkBytes);
  EXPECT_LE(sweep->tuning.slots, kMostSlots);
  EXPECT_LE(measurements_, 120) << "at 4 ms each";
}

TEST_P(LinkSweepTest, DisturbancesDoNotMisleadIt) {
  const auto sweep = Sweep([](int measurement) { return measurement % 5 == 2 ? 0.5 : 1.0; });
  ASSERT_TRUE(sweep.ok()) << sweep.status();
  EXPECT_GE(BytesPerSecond(Chosen(sweep->tuning)), 0.85 * BestRate(kLargestChunkBytes));
}

TEST_P(LinkSweepTest, TheProfileIsTheLinks) {
  const auto sweep = Sweep([](int) { return 1.0; });
  ASSERT_TRUE(sweep.ok()) << sweep.status();
  if (GetParam().cache_bytes < kRingBytes || GetParam().most_depth_of_queue_pair < 100) return;
  EXPECT_NEAR(sweep->profile.bytes_per_second / GetParam().profile.bytes_per_second, 1, 0.15);
  EXPECT_NEAR(sweep->profile.read_seconds / GetParam().profile.read_seconds, 1, 0.25);
}

TEST_P(LinkSweepTest, OneDisturbanceDoesNotEndAClimb) {
  const auto undisturbed = Sweep([](int) { return 1; });
  ASSERT_TRUE(undisturbed.ok());
  for (int disturbed = 1; disturbed <= 12; ++disturbed) {
    const auto sweep = Sweep([=](int measurement) { return measurement == disturbed ? 0.3 : 1; });
    ASSERT_TRUE(sweep.ok());
    EXPECT_GT(sweep->profile.requests_per_second, 0.8 * undisturbed->profile.requests_per_second)
        << "measurement " << disturbed;
  }
}

INSTANTIATE_TEST_SUITE_P(Links, LinkSweepTest, testing::ValuesIn(kLinks),
                         [](const auto& link) { return std::to_string(link.index); });

TEST(LinkSweep, TheChunkIsNoLargerThanItHasToBe) {
  const LinkProfile link = {kThreads, 1.2e9, 300e3, 40e-6};
  const auto sweep = SweepLink({.threads = kThreads, .ring_bytes = kRingBytes},
                               [&](const ReadLoad& load) -> absl::StatusOr<std::optional<double>> {
                                 return 1 / link.SecondsPerRead(load.bytes, load.depth);
                               });
  ASSERT_TRUE(sweep.ok()) << sweep.status();
  EXPECT_LE(sweep->tuning.chunk_bytes, 256 * kKiB);
  EXPECT_GE(sweep->tuning.chunk_bytes, 64 * kKiB);
}

TEST(LinkSweep, OfADeviceChunksAndWhatIsInFlightAreAsLargeAsAsked) {
  const LinkProfile link = {.threads = kThreads,
                            .bytes_per_second = 1.2e9,
                            .requests_per_second = 1e6,
                            .read_seconds = 1e-6};
  SweepLimits limits = {.threads = kThreads, .ring_bytes = kRingBytes};
  const auto sweep = [&] {
    return *SweepLink(limits, [&](const ReadLoad& load) -> absl::StatusOr<std::optional<double>> {
      EXPECT_LE(load.bytes * load.depth, limits.ring_bytes);
      return 1 / link.SecondsPerRead(load.bytes, load.depth);
    });
  };
  EXPECT_EQ(sweep().tuning.chunk_bytes, 64 * kKiB);
  EXPECT_EQ(DepthWith(sweep().tuning.slots), 1u);
  limits.is_device = true;
  limits.least_tuned_bytes = 256 * kKiB;
  limits.least_bytes_in_flight = kMiB;
  const LinkSweep device = sweep();
  const auto depth_with = [](const LinkTuning& tuning) { return DepthWith(tuning.slots, true); };
  EXPECT_EQ(device.tuning.chunk_bytes, 256 * kKiB);
  EXPECT_EQ(depth_with(device.tuning), 4u);
  EXPECT_EQ(depth_with(TuningFor(128 * kKiB, device)), 8u);
  EXPECT_EQ(depth_with(TuningFor(2 * kMiB, device)), 1u);
  limits.ring_bytes = 512 * kKiB;
  EXPECT_EQ(depth_with(sweep().tuning), 2u) << "all that can be measured";
}

TEST(LinkSweep, SizesTooSmallForAChunkDoNotEndTheClimb) {
  const LinkProfile link = {
      .threads = 2, .bytes_per_second = 3.5e9, .requests_per_second = 1e5, .read_seconds = 300e-6};
  const auto sweep = SweepLink(
      {.threads = 2, .ring_bytes = kRingBytes, .least_tuned_bytes = kMiB, .is_device = true},
      [&](const ReadLoad& load) -> absl::StatusOr<std::optional<double>> {
        return 1 / link.SecondsPerRead(load.bytes, load.depth);
      });
  ASSERT_TRUE(sweep.ok()) << sweep.status();
  EXPECT_EQ(sweep->tuning.chunk_bytes, kMiB) << "two of which in flight are as fast as larger ones";
  EXPECT_EQ(DepthWith(sweep->tuning.slots, /*is_device=*/true), 2u);
}

TEST(LinkSweep, WhatTheEngineTakesForTheBytesCounts) {
  const auto chunk_bytes_where = [](double request_seconds) {
    return SweepLink({.threads = 2, .ring_bytes = kRingBytes},
                     [=](const ReadLoad& load) -> absl::StatusOr<std::optional<double>> {
                       return 1 / (static_cast<double>(load.bytes) / 12e9 + request_seconds);
                     })
        ->tuning.chunk_bytes;
  };
  EXPECT_EQ(chunk_bytes_where(2e-6), 256 * kKiB) << "0.92 of what the link carries";
  EXPECT_EQ(chunk_bytes_where(20e-6), kMiB);
}

TEST(LinkSweep, WhateverTheEngineTakesTheLinkIsKeptBusy) {
  const auto sweep = SweepLink({.threads = 2, .ring_bytes = kRingBytes},
                               [](const ReadLoad& load) -> absl::StatusOr<std::optional<double>> {
                                 const double idle = load.depth == 1 ? 1.07 : 1;
                                 return 1 / (static_cast<double>(load.bytes) / 12e9 * idle + 4e-6);
                               });
  ASSERT_TRUE(sweep.ok()) << sweep.status();
  EXPECT_EQ(DepthWith(sweep->tuning.slots), 2u) << "a scan would hardly notice";
  EXPECT_EQ(sweep->tuning.queue_pairs, 1u) << "which two reads keep busy";
}

TEST(LinkSweep, WhenTheTimeIsOverItConcludesFromWhatItHas) {
  const LinkProfile link = {kThreads, 1.2e9, 300e3, 40e-6};
  int left = 0;
  const auto measure = [&](const ReadLoad& load) -> absl::StatusOr<std::optional<double>> {
    if (left-- <= 0) return std::nullopt;
    return 1 / link.SecondsPerRead(load.bytes, load.depth);
  };
  const SweepLimits limits = {.threads = kThreads, .ring_bytes = kRingBytes};
  left = 1;
  EXPECT_EQ(SweepLink(limits, measure).status().code(), absl::StatusCode::kDeadlineExceeded);
  for (const int measurements : {2, 3, 5, 20}) {
    left = measurements;
    const auto sweep = SweepLink(limits, measure);
    ASSERT_TRUE(sweep.ok()) << sweep.status();
    EXPECT_GE(sweep->tuning.chunk_bytes, 64 * kKiB);
    EXPECT_GE(DepthWith(sweep->tuning.slots), 1u);
    EXPECT_GT(sweep->profile.bytes_per_second, 0);
  }
}

TEST(LinkSweep, AnErrorOfTheLinkEndsIt) {
  const auto sweep = SweepLink({.threads = kThreads, .ring_bytes = kRingBytes},
                               [](const ReadLoad&) -> absl::StatusOr<std::optional<double>> {
                                 return absl::UnavailableError("the node was lost");
                               });
  EXPECT_EQ(sweep.status().code(), absl::StatusCode::kUnavailable);
}

TEST(LinkSweep, OtherChunkSizesGetTheDepthThatTheFitAsksFor) {
  const LinkSweep sweep = {.profile = {kThreads, 1.2e9, 300e3, 2e-3},
                           .tuning = {.chunk_bytes = 65536, .slots = 5, .queue_pairs = 2}};
  EXPECT_EQ(TuningFor(65536, sweep).slots, 5u);
  const LinkTuning tuning = TuningFor(262144, sweep);
  EXPECT_EQ(tuning.chunk_bytes, 262144u);
  EXPECT_EQ(DepthWith(tuning.slots), sweep.profile.DepthFor(262144));
  EXPECT_EQ(tuning.queue_pairs, 2u);
  EXPECT_LE(TuningFor(4096, sweep).slots, kMostSlots);
}

TEST(LinkSweep, AThreadComputesOnOneSlotAndTwoMayWaitForIt) {
  for (const uint32_t depth : {1u, 2u, 32u}) {
    EXPECT_EQ(SlotsFor(depth), depth + 3);
    EXPECT_EQ(DepthWith(SlotsFor(depth)), depth);
  }
  EXPECT_EQ(DepthWith(1), 0u);
}

TEST(LinkSweep, OnADeviceThereIsAFreeSlotForEachRead) {
  for (const uint32_t depth : {1u, 2u, 32u}) {
    EXPECT_EQ(SlotsFor(depth, /*is_device=*/true), 2 * depth + 2);
    EXPECT_EQ(DepthWith(SlotsFor(depth, true), true), depth);
  }
  EXPECT_EQ(DepthWith(1, /*is_device=*/true), 0u);
}

TEST(LinkSweep, WhereNothingArrivesWhileAThreadComputesItHasOneSlot) {
  const LinkProfile link = {kThreads, 1.2e9, 300e3, 40e-6};
  const auto measure = [&](const ReadLoad& load) -> absl::StatusOr<std::optional<double>> {
    return 1 / link.SecondsPerRead(load.bytes, load.depth);
  };
  const auto slots_for = [&](bool in_background, uint64_t chunk_bytes) {
    const SweepLimits limits = {
        .threads = kThreads, .ring_bytes = kRingBytes, .in_background = in_background};
    const auto sweep = SweepLink(limits, measure);
    return TuningFor(chunk_bytes == 0 ? sweep->tuning.chunk_bytes : chunk_bytes, *sweep).slots;
  };
  for (const uint64_t chunk_bytes : {uint64_t{0}, 4 * kKiB, 4 * kMiB}) {
    EXPECT_GE(DepthWith(slots_for(true, chunk_bytes)), 1u);
    EXPECT_EQ(slots_for(false, chunk_bytes), 1u);
  }
}

}  // namespace
}  // namespace fargraph
