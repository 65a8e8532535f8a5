#include "compute_node/tiers/far_links.h"

#include "common/units.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

LinkSweep Sweep(double bytes_per_second, double requests_per_second, double read_seconds,
                const LinkTuning& tuning) {
  return {.profile = {.threads = 2,
                      .bytes_per_second = bytes_per_second,
                      .requests_per_second = requests_per_second,
                      .read_seconds = read_seconds},
          .tuning = tuning};
}

LinkSweep MemoryLink() {
  return Sweep(8e9, 2e6, 2e-6, {64 * kKiB, SlotsFor(2), /*queue_pairs=*/2});
}
LinkSweep SsdLink() {
  LinkSweep sweep = Sweep(1e9, 1e5, 200e-6, {256 * kKiB, SlotsFor(4, true), /*queue_pairs=*/1});
  sweep.is_device = true;
  return sweep;
}

TEST(FarLinks, ASingleLinkIsReadAsItWasTuned) {
  for (const FarLinks& links : {FarLinks{.memory = MemoryLink()}, FarLinks{.ssds = SsdLink()}}) {
    const LinkSweep sweep = links.memory ? MemoryLink() : SsdLink();
    EXPECT_EQ(links.ChunkBytes(), sweep.tuning.chunk_bytes);
    EXPECT_EQ(links.TuningFor(links.ChunkBytes()).slots, sweep.tuning.slots);
    EXPECT_EQ(links.TuningFor(links.ChunkBytes()).queue_pairs, sweep.tuning.queue_pairs);
    EXPECT_EQ(links.Profile(0.5).bytes_per_second, sweep.profile.bytes_per_second);
  }
}

TEST(FarLinks, BothKeepTheirDepthBesideEachOther) {
  const FarLinks both = {.memory = MemoryLink(), .ssds = SsdLink()};
  EXPECT_EQ(both.ChunkBytes(), 256 * kKiB);
  const LinkTuning tuning = both.TuningFor(256 * kKiB);
  EXPECT_EQ(DepthWith(tuning.slots, /*is_device=*/true),
            DepthWith(TuningFor(256 * kKiB, MemoryLink()).slots) + 4);
  EXPECT_EQ(tuning.queue_pairs, 2u);
}

TEST(FarLinks, EveryTierHasItsOwnBreakEvenGap) {
  const FarGaps gaps = FarLinks{.memory = MemoryLink(), .ssds = SsdLink()}.Gaps();
  EXPECT_EQ(gaps.At(12345).break_even, 4000u);
  EXPECT_EQ(gaps.At(kSsdSpace + 12345).break_even, 10'000u);
  EXPECT_GT(gaps.At(12345).narrow, gaps.At(kSsdSpace + 12345).narrow);
}

TEST(FarLinks, TogetherTheyAreAsFastAsTheSlowerOneBringsItsShare) {
  const FarLinks both = {.memory = MemoryLink(), .ssds = SsdLink()};
  EXPECT_EQ(both.Profile(0).bytes_per_second, 8e9);
  EXPECT_EQ(both.Profile(1).bytes_per_second, 1e9);
  EXPECT_DOUBLE_EQ(both.Profile(0.5).bytes_per_second, 2e9);
  EXPECT_DOUBLE_EQ(both.Profile(0.05).bytes_per_second, 8e9 / 0.95);
  EXPECT_DOUBLE_EQ(both.Profile(0.5).requests_per_second, 2e5);
  EXPECT_EQ(both.Profile(0.05).read_seconds, 200e-6);
}

}  // namespace
}  // namespace fargraph
