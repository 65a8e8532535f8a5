#include "compute_node/tiers/link_profile.h"

#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

/// 10 GB/s, a million requests a second, 20 us.
constexpr LinkProfile kLink = {
    .threads = 4, .bytes_per_second = 1e10, .requests_per_second = 1e6, .read_seconds = 20e-6};

LinkPoint Measured(const ReadLoad& load, const LinkProfile& link, double disturbance = 1) {
  return {.load = load,
          .reads_per_second = disturbance / link.SecondsPerRead(load.bytes, load.depth)};
}

TEST(LinkProfile, OneReadAtATimeTakesTheLatencyAndItsShareOfTheBandwidth) {
  EXPECT_DOUBLE_EQ(kLink.SecondsPerRead(100'000, 1), (20e-6 + 40e-6) / 4);
  EXPECT_DOUBLE_EQ(kLink.SecondsPerRead(1000, 2), (20e-6 + 0.4e-6) / 8);
}

TEST(LinkProfile, ManyReadsTakeTheGapAndTheBytes) {
  EXPECT_DOUBLE_EQ(kLink.SecondsPerRead(100'000, 32), 1e-6 + 10e-6);
}

TEST(LinkProfile, ALinkThatCarriedMoreIsDisproved) {
  const uint64_t bytes = 1'000'000'000;
  EXPECT_FALSE(kLink.IsDisprovedBy(bytes, 0.1));
  EXPECT_FALSE(kLink.IsDisprovedBy(bytes, 0.08)) << "links are not as fast every hour";
  EXPECT_TRUE(kLink.IsDisprovedBy(bytes, 0.07));
  EXPECT_FALSE(kLink.IsDisprovedBy(bytes / 1000, 0.00007)) << "too little to tell";
}

TEST(LinkProfile, TheDepthHidesTheLatencyAndNoMore) {
  for (const uint64_t bytes : {512, 4096, 65536, 1 << 20}) {
    const uint32_t depth = kLink.DepthFor(bytes);
    const double hidden = kLink.SecondsPerRead(bytes, 1000);
    EXPECT_DOUBLE_EQ(kLink.SecondsPerRead(bytes, depth), hidden) << bytes;
    if (depth == 1) continue;
    EXPECT_GT(kLink.SecondsPerRead(bytes, depth - 1), hidden) << bytes;
  }
}

TEST(LinkProfile, AGapIsReadWhileThatTakesNoLongerThanARequest) {
  EXPECT_EQ(kLink.BreakEvenGapBytes(), 10'000u);
}

TEST(LinkProfile, ThreadsThatShareALinkLookAtNarrowerGaps) {
  const LinkProfile alone = {.threads = 1, .bytes_per_second = 10e9};
  const LinkProfile shared = {.threads = 4, .bytes_per_second = 10e9};
  EXPECT_EQ(alone.NarrowGapBytes(), 120u);
  EXPECT_EQ(shared.NarrowGapBytes(), 30u);
}

TEST(CombineLinks, EachBringsItsShareAndTakesWhatItNeedsOfTheProcessors) {
  const LinkProfile memory = {.threads = 2,
                              .bytes_per_second = 8e9,
                              .requests_per_second = 4e6,
                              .read_seconds = 2e-6,
                              .processor_share = 1};
  const LinkProfile ssd = {.threads = 2,
                           .bytes_per_second = 2e9,
                           .requests_per_second = 1e5,
                           .read_seconds = 80e-6,
                           .processor_share = 0.1};
  const LinkProfile both = CombineLinks(memory, ssd, 0.5);
  EXPECT_EQ(both.bytes_per_second, 4e9) << "the SSD is busy all the time";
  EXPECT_EQ(both.requests_per_second, 2e5);
  EXPECT_EQ(both.read_seconds, 80e-6);
  EXPECT_NEAR(both.processor_share, 0.25 + 0.1, 1e-9) << "the nodes a quarter of it";
  EXPECT_EQ(CombineLinks(memory, ssd, 0).processor_share, 1);
  EXPECT_EQ(CombineLinks(memory, ssd, 1).processor_share, 0.1);
}

TEST(LinkProfile, TheFitFindsTheLinkThatWasMeasured) {
  std::vector<LinkPoint> points;
  for (const uint64_t bytes : {512, 4096, 16384, 65536, 262144, 1 << 20}) {
    for (const uint32_t depth : {1, 4, 16, 64}) points.push_back(Measured({bytes, depth}, kLink));
  }
  const LinkProfile fit = FitLink(points, kLink.threads);
  EXPECT_EQ(fit.threads, kLink.threads);
  EXPECT_NEAR(fit.bytes_per_second / kLink.bytes_per_second, 1, 1e-6);
  EXPECT_NEAR(fit.requests_per_second / kLink.requests_per_second, 1, 1e-6);
  EXPECT_NEAR(fit.read_seconds / kLink.read_seconds, 1, 1e-6);
}

TEST(LinkProfile, TheFitBearsDisturbances) {
  std::vector<LinkPoint> points;
  int number = 0;
  for (uint64_t bytes = 512; bytes <= 4 << 20; bytes *= 2) {
    for (const uint32_t depth : {1, 4, 16, 64}) {
      points.push_back(Measured({bytes, depth}, kLink, ++number % 3 == 0 ? 0.9 : 1));
    }
  }
  const LinkProfile fit = FitLink(points, kLink.threads);
  EXPECT_NEAR(fit.bytes_per_second / kLink.bytes_per_second, 1, 0.1);
  EXPECT_NEAR(fit.requests_per_second / kLink.requests_per_second, 1, 0.2);
  EXPECT_NEAR(fit.read_seconds / kLink.read_seconds, 1, 0.2);
}

TEST(LinkProfile, TheFitOfNonsenseIsFinite) {
  const std::vector<LinkPoint> points = {{.load = {512, 1}, .reads_per_second = 10},
                                         {.load = {4096, 1}, .reads_per_second = 1e6}};
  const LinkProfile fit = FitLink(points, 1);
  EXPECT_GT(fit.bytes_per_second, 0);
  EXPECT_GT(fit.requests_per_second, 0);
  EXPECT_GE(fit.read_seconds, 0);
  EXPECT_GT(fit.SecondsPerRead(4096, 1), 0);
}

}  // namespace
}  // namespace fargraph
