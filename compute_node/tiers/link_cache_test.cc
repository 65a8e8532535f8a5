#include "compute_node/tiers/link_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "common/files/file.h"
#include "common/files/test_directory.h"
#include "common/units.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

class LinkCacheTest : public testing::Test {
 protected:
  static LinkId Link(const std::string& address = "10.0.0.1:7400") {
    return {.host = "here",
            .nodes = {{.address = address, .node_id = "first process"}},
            .transport = "tcp",
            .threads = 4};
  }

  static CachedSweep Sweep(absl::Duration age = absl::ZeroDuration()) {
    return {.sweep = {.points = {{.load = {4096, 2, 1}, .reads_per_second = 1234.5},
                                 {.load = {65536, 8, 2}, .reads_per_second = 77.25}},
                      .profile = {.threads = 4,
                                  .bytes_per_second = 1.5e9,
                                  .requests_per_second = 2e5,
                                  .read_seconds = 3e-5,
                                  .processor_share = 0.25},
                      .tuning = {.chunk_bytes = 65536, .slots = 9, .queue_pairs = 2},
                      .is_device = true,
                      .least_bytes_in_flight = 12345},
            .measured = absl::Now() - age};
  }

  std::string Content() const { return *ReadSmallFile(path_, kMiB); }
  void SetContent(const std::string& content) const { std::ofstream(path_) << content; }

  TestDirectory directory_;
  std::string path_ = directory_.path() + "/cache/fargraph/links.json";
  LinkCache cache_{path_};
};

TEST_F(LinkCacheTest, WhatIsStoredIsFound) {
  EXPECT_FALSE(cache_.Find(Link()).has_value());
  const absl::Status stored = cache_.Store(Link(), Sweep());
  ASSERT_TRUE(stored.ok()) << stored;
  const auto found = cache_.Find(Link());
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->sweep.points.size(), 2u);
  EXPECT_EQ(found->sweep.points[1].load.bytes, 65536u);
  EXPECT_EQ(found->sweep.points[1].load.depth, 8u);
  EXPECT_EQ(found->sweep.points[1].load.queue_pairs, 2u);
  EXPECT_EQ(found->sweep.points[1].reads_per_second, 77.25);
  EXPECT_EQ(found->sweep.profile.threads, 4u);
  EXPECT_EQ(found->sweep.profile.bytes_per_second, 1.5e9);
  EXPECT_EQ(found->sweep.profile.requests_per_second, 2e5);
  EXPECT_EQ(found->sweep.profile.read_seconds, 3e-5);
  EXPECT_EQ(found->sweep.profile.processor_share, 0.25);
  EXPECT_EQ(found->sweep.tuning.chunk_bytes, 65536u);
  EXPECT_EQ(found->sweep.tuning.slots, 9u);
  EXPECT_EQ(found->sweep.tuning.queue_pairs, 2u);
  EXPECT_TRUE(found->sweep.is_device);
  EXPECT_EQ(found->sweep.least_bytes_in_flight, 12345u);
  EXPECT_LT(absl::Now() - found->measured, absl::Minutes(1));
}

TEST_F(LinkCacheTest, ADifferenceInAnythingIsAnotherLink) {
  ASSERT_TRUE(cache_.Store(Link(), Sweep()).ok());
  LinkId other = Link();
  other.host = "there";
  EXPECT_FALSE(cache_.Find(other).has_value());
  other = Link();
  other.transport = "shm";
  EXPECT_FALSE(cache_.Find(other).has_value());
  other = Link();
  other.threads = 5;
  EXPECT_FALSE(cache_.Find(other).has_value());
  other = Link();
  other.nodes.push_back({.address = "10.0.0.2:7400", .node_id = "x"});
  EXPECT_FALSE(cache_.Find(other).has_value());
}

TEST_F(LinkCacheTest, TheNewestCountsAndOtherLinksStay) {
  ASSERT_TRUE(cache_.Store(Link(), Sweep()).ok());
  ASSERT_TRUE(cache_.Store(Link("10.0.0.2:7400"), Sweep()).ok());
  CachedSweep newer = Sweep();
  newer.sweep.tuning.slots = 5;
  ASSERT_TRUE(cache_.Store(Link(), newer).ok());
  EXPECT_EQ(cache_.Find(Link())->sweep.tuning.slots, 5u);
  EXPECT_EQ(cache_.Find(Link("10.0.0.2:7400"))->sweep.tuning.slots, 9u);
}

TEST_F(LinkCacheTest, AnEntryLastsAsLongAsTheProcessesAndAWeekLonger) {
  ASSERT_TRUE(cache_.Store(Link(), Sweep(absl::Hours(24 * 300))).ok());
  EXPECT_TRUE(cache_.Find(Link()).has_value());
  LinkId restarted = Link();
  restarted.nodes[0].node_id = "second process";
  EXPECT_FALSE(cache_.Find(restarted).has_value());
  ASSERT_TRUE(cache_.Store(Link(), Sweep(absl::Hours(24 * 6))).ok());
  EXPECT_TRUE(cache_.Find(restarted).has_value());
}

TEST_F(LinkCacheTest, ADamagedFileIsAnEmptyOneAndIsReplaced) {
  ASSERT_TRUE(cache_.Store(Link(), Sweep()).ok());
  const std::string good = Content();
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[1, 2]"), std::string("null"),
        std::string("\xff\xfe"), good.substr(0, good.size() / 2),
        absl::StrReplaceAll(good, {{"\"version\": 4", "\"version\": 5"}}),
        absl::StrReplaceAll(good, {{"\"slots\"", "\"slits\""}}),
        absl::StrReplaceAll(good, {{"\"slots\": 9", "\"slots\": \"nine\""}}),
        absl::StrReplaceAll(good, {{"\"slots\": 9", "\"slots\": -9"}}),
        absl::StrReplaceAll(good, {{"\"slots\": 9", "\"slots\": 1000000"}}),
        absl::StrReplaceAll(good, {{"\"chunk_bytes\": 65536", "\"chunk_bytes\": 65537"}}),
        absl::StrReplaceAll(good, {{"\"node_ids\"", "\"node_idols\""}}),
        absl::StrReplaceAll(
            good, {{"\"bytes_per_second\": 1500000000.0", "\"bytes_per_second\": 0.0"}})}) {
    ASSERT_NE(bad, good);
    SetContent(bad);
    EXPECT_FALSE(cache_.Find(Link()).has_value()) << bad;
    ASSERT_TRUE(cache_.Store(Link(), Sweep()).ok());
    EXPECT_TRUE(cache_.Find(Link()).has_value()) << bad;
  }
}

TEST_F(LinkCacheTest, ItDoesNotGrowForEver) {
  uint64_t bytes = 0;
  for (int node = 0; node < 100; ++node) {
    ASSERT_TRUE(cache_.Store(Link(absl::StrCat("10.0.0.1:", 1000 + node)), Sweep()).ok());
    if (node == 80) bytes = Content().size();
  }
  EXPECT_EQ(Content().size(), bytes);
  EXPECT_TRUE(cache_.Find(Link("10.0.0.1:1099")).has_value());
  EXPECT_FALSE(cache_.Find(Link("10.0.0.1:1000")).has_value());
}

TEST_F(LinkCacheTest, WithoutAPathItKeepsNothing) {
  const LinkCache none("");
  EXPECT_TRUE(none.Store(Link(), Sweep()).ok());
  EXPECT_FALSE(none.Find(Link()).has_value());
}

TEST_F(LinkCacheTest, APathThatCannotBeWrittenIsAnError) {
  SetContent("");
  std::ofstream(directory_.path() + "/file") << "not a directory";
  const LinkCache cache(directory_.path() + "/file/fargraph/links.json");
  EXPECT_FALSE(cache.Store(Link(), Sweep()).ok());
  EXPECT_FALSE(cache.Find(Link()).has_value());
}

TEST(LinkCachePath, IsInTheUsersCacheDirectory) {
  setenv("HOME", "/home/me", 1);
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(LinkCache::DefaultPath(), "/home/me/.cache/fargraph/links.json");
  setenv("XDG_CACHE_HOME", "/var/cache/me", 1);
  EXPECT_EQ(LinkCache::DefaultPath(), "/var/cache/me/fargraph/links.json");
  setenv("XDG_CACHE_HOME", "relative", 1);  // to be ignored, by the XDG specification
  EXPECT_EQ(LinkCache::DefaultPath(), "/home/me/.cache/fargraph/links.json");
  unsetenv("HOME");
  EXPECT_EQ(LinkCache::DefaultPath(), "");
}

}  // namespace
}  // namespace fargraph
