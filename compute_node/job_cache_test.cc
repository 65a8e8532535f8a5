/// The local share of lists in jobs that do not only scan: a cache, of chunks for the most part.

#include <cstdint>
#include <string>
#include <vector>

#include "common/units.h"
#include "compute_node/job_forecast.h"
#include "compute_node/testing/job_fixture.h"
#include "compute_node/testing/memory_nodes.h"
#include "compute_node/testing/shared_files.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

/// A plan's local bytes for the cache of out-lists.
uint64_t CacheShareBytes(const JobOptions& options) {
  const auto forecast = ForecastJob(options);
  EXPECT_TRUE(forecast.ok()) << forecast.status();
  return forecast->placement.LocalBytes("out.cache.share");
}

/// Half of the lists of a job that keeps chunks is local.
void ExpectACacheThatBeginsFull(JobOptions options) {
  options.chunk_bytes = 16 * kKiB;
  EXPECT_NEAR(CacheShareBytes(options), kJobEdges * sizeof(VertexId) / 2, 1 * kKiB);
  const uint64_t with_half = RunJob(options)->bytes_fetched;
  options.far_ratio = 1;
  EXPECT_EQ(CacheShareBytes(options), 0u);
  EXPECT_LT(with_half, 0.75 * RunJob(options)->bytes_fetched);
}

TEST_F(JobOnSsdTest, TheLocalShareOfListsOnSsdsIsACacheThatBeginsFull) {
  ExpectACacheThatBeginsFull(OwnFilesOptions(0.5, "cached-mix"));
}

TEST_F(JobTest, TheLocalShareOfListsOnMemoryNodesIsACacheThatBeginsFull) {
  const MemoryNodes nodes(2);
  ExpectACacheThatBeginsFull(Options(0.5, nodes.addresses(), "cached-mix"));
}

TEST_F(JobTest, BlocksAreOnlyKeptForSmallSteps) {
  std::vector<InputEdge> path;  // along which a search is deep
  for (uint64_t v = 1; v < kJobVertices; ++v) path.push_back({.source = v - 1, .target = v});
  const MemoryNodes nodes(1);
  const auto plan = [&](const std::string& algorithm) {
    JobOptions options = Options(0.5, nodes.addresses(), algorithm);
    options.graph_path = SharedGraph("path", kJobVertices, path, /*compressed=*/false);
    const auto forecast = ForecastJob(options);
    EXPECT_TRUE(forecast.ok()) << forecast.status();
    return forecast->placement;
  };
  EXPECT_TRUE(plan("cached-mix").Holds("out.cache.buffer"));
  const PlacementPlan parts = plan("parts-mix");
  EXPECT_FALSE(parts.Holds("out.cache.buffer"));
  EXPECT_EQ(parts.CacheBytes(), 0u);
  EXPECT_DOUBLE_EQ(parts.FarRatio("out.edges"), 0.5);
}

TEST_F(JobTest, KernelsOfLargerStepsKeepChunks) {
  const MemoryNodes nodes(1);
  EXPECT_GT(CacheShareBytes(Options(0.5, nodes.addresses(), "parts-mix")), 0u);
}

TEST_F(JobTest, WhereMemoryNodesHaveNoRoomForAllListsTheLocalShareIsNowhereElse) {
  const MemoryNodes nodes(1, kJobListBytes * 3 / 4);
  const JobOptions options = Options(0.4, nodes.addresses(), "cached-mix");
  EXPECT_EQ(CacheShareBytes(options), 0u);
  EXPECT_EQ(Sum(options), Sum(Options(0, {}, "cached-mix")));
}

TEST_F(JobTest, KeptListsNeedNoOtherRoom) {
  const MemoryNodes nodes(1, kJobListBytes * 3 / 2);
  JobOptions options = Options(0.5, nodes.addresses(), "cached-mix");
  options.keep = true;
  for (int run = 0; run < 2; ++run) {
    EXPECT_GT(CacheShareBytes(options), 0u);
    EXPECT_EQ(RunJob(options)->attached, run > 0);
  }
}

TEST_F(JobOnSsdTest, ListsThatAreLongerThanChunksStayLocalAsFarAsTheyHaveRoom) {
  JobOptions options = OwnFilesOptions(0.5, "cached-mix");
  options.chunk_bytes = 128;  // a list has 267 bytes on the mean
  EXPECT_EQ(CacheShareBytes(options), 0u);
  const auto report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_NEAR(report->far_ratio, 0.5, 0.25);
  EXPECT_EQ(report->answer["sum"].get<double>(), Sum(Options(0, {}, "mix")));
}

TEST_F(JobOnSsdTest, ATraceHasAllReadsOfListsOnSsds) {
  JobOptions options = OwnFilesOptions(0.5, "cached-mix");
  options.read_trace_path = directory_.path() + "/trace";
  EXPECT_EQ(CacheShareBytes(options), 0u);
}

}  // namespace
}  // namespace fargraph
