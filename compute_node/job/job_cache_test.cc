/// The local share of lists in jobs that do not only scan: a cache, of chunks for the most part.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/files/file.h"
#include "common/units.h"
#include "compute_node/job/job_forecast.h"
#include "compute_node/job/job_inputs.h"
#include "compute_node/job/job_plan.h"
#include "compute_node/testing/job_fixture.h"
#include "compute_node/testing/known_links.h"
#include "compute_node/testing/memory_nodes.h"
#include "compute_node/testing/shared_files.h"
#include "compute_node/testing/ssd_directories.h"
#include "graph/format/manifest.h"
#include "graph/write_graph.h"
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

/// Makes an array longer, by zeroes that take no room. False where there are no such long files.
bool LengthenArray(const std::string& path, uint64_t elements, ArrayHeader& header) {
  header.elements = elements;
  header.table_checksum = Checksum(std::vector<std::byte>(header.padded_table_bytes()));
  const ArrayHeaderPage page = EncodeArrayHeader(header);
  std::ofstream(path).write(reinterpret_cast<const char*>(page.data()), page.size());
  return truncate(path.c_str(), static_cast<off_t>(header.file_bytes())) == 0;
}

/// Makes a graph so long that jobs on it can only be planned, with so many edges in each direction.
bool LengthenGraph(const std::string& path, uint64_t edges) {
  constexpr uint64_t kVertices = 1 << 24;  // lists are shorter than chunks
  const std::string manifest_path = absl::StrCat(path, "/", kManifestFile);
  Manifest manifest = *DecodeManifest(*ReadSmallFile(manifest_path, kMaxManifestBytes));
  manifest.graph.vertices = kVertices;
  manifest.graph.edges = edges;
  manifest.graph.heads = 0;
  std::erase_if(manifest.arrays,
                [](const auto& array) { return absl::StrContains(array.first, "heads"); });
  for (auto& [name, header] : manifest.arrays) {
    const uint64_t elements = absl::StrContains(name, "index") ? kVertices + 1 : edges;
    if (!LengthenArray(absl::StrCat(path, "/", name), elements, header)) return false;
  }
  manifest.graph.content_id = ContentId(manifest.arrays);
  std::ofstream(manifest_path) << EncodeManifest(manifest);
  return true;
}

TEST_F(JobOnSsdTest, WhereSsdsHaveNoRoomForAllListsTheLocalShareIsNowhereElse) {
  JobOptions options = Options(0.4, {}, "cached-mix");
  options.graph_path = directory_.Path("long");
  options.chunk_bytes = kMiB;
  ASSERT_TRUE(WriteGraph(options.graph_path, kJobVertices, JobEdges()).ok());
  const SsdDirectories elsewhere(1);
  const auto plan_on = [&](const std::string& directory) {
    options.ssd_directories = {directory};
    KnowSsds(link_cache_path_, options.ssd_directories);
    const auto inputs = OpenJob(options);
    EXPECT_TRUE(inputs.ok()) << inputs.status();
    const auto plan = JobPlanner(options, *inputs).Plan();
    EXPECT_TRUE(plan.ok()) << plan.status();
    return plan->placement;
  };
  EXPECT_GT(plan_on(elsewhere.paths()[0]).CacheBytes(), 0u);

  // Lists of one direction have room, and 40% of both, but not both.
  const uint64_t free_bytes = std::filesystem::space(directory_.path()).available;
  if (!LengthenGraph(options.graph_path, free_bytes / sizeof(VertexId) / 4 * 3))
    GTEST_SKIP() << "this file system has no files as long as all it has free";
  const PlacementPlan in_copies = plan_on(elsewhere.paths()[0]);
  EXPECT_EQ(in_copies.CacheBytes(), 0u);
  EXPECT_NEAR(in_copies.FarRatio("out.edges"), 0.4, 0.01);
  EXPECT_GT(plan_on(options.graph_path).CacheBytes(), 0u) << "they lie there already";
}

TEST_F(JobTest, KeptListsNeedNoOtherRoom) {
  static_assert(kJobListBytes < kMostOnSmallPages && kMostOnSmallPages < 2 * kJobListBytes);
  const MemoryNodes nodes(1, kMostOnSmallPages);
  JobOptions options = Options(0.5, nodes.addresses(), "cached-mix");
  options.keep = true;
  for (int run = 0; run < 2; ++run) {
    EXPECT_GT(CacheShareBytes(options), 0u);
    EXPECT_EQ(RunJob(options)->attached, run > 0);
  }
}

TEST_F(JobOnSsdTest, ListsThatAreLongerThanChunksStayLocalAsFarAsTheyHaveRoom) {
  constexpr uint64_t kVertices = 100;  // a list has 8000 bytes on the mean
  std::vector<InputEdge> edges = JobEdges();
  for (InputEdge& edge : edges) edge.source %= kVertices, edge.target %= kVertices;
  JobOptions local = Options(0, {}, "mix");
  local.graph_path = SharedGraph("long-lists", kVertices, edges, /*compressed=*/false);
  JobOptions options = Options(0.5, {}, "cached-mix");
  options.graph_path = local.graph_path;
  options.ssd_directories = {local.graph_path};
  KnowSsds(link_cache_path_, options.ssd_directories);
  EXPECT_EQ(CacheShareBytes(options), 0u);
  const auto report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_NEAR(report->far_ratio, 0.5, 0.25);
  EXPECT_EQ(report->answer["sum"].get<double>(), Sum(local));
}

TEST_F(JobOnSsdTest, ATraceHasAllReadsOfListsOnSsds) {
  JobOptions options = OwnFilesOptions(0.5, "cached-mix");
  options.read_trace_path = directory_.path() + "/trace";
  EXPECT_EQ(CacheShareBytes(options), 0u);
}

}  // namespace
}  // namespace fargraph
