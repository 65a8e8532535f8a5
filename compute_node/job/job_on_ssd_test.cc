/// Jobs with SSDs and without memory nodes.

#include <omp.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/host/huge_pages.h"
#include "common/units.h"
#include "compute_node/job/job_forecast.h"
#include "compute_node/testing/job_fixture.h"
#include "compute_node/testing/known_links.h"
#include "compute_node/testing/mix_kernels.h"
#include "compute_node/testing/ssd_directories.h"
#include "compute_node/testing/thread_count.h"
#include "gmock/gmock.h"
#include "graph/format/array_format.h"
#include "graph/graph_files.h"
#include "graph/striping/place_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

/// On SSDs: in the graph's own files, or in copies.
class SsdPlacementTest : public JobOnSsdTest,
                         public testing::WithParamInterface<std::tuple<size_t, double>> {
 protected:
  size_t copies() const { return std::get<0>(GetParam()); }
  JobOptions SsdOptions(const std::string& algorithm, const std::string& graph_path) const {
    JobOptions options = Options(std::get<1>(GetParam()), {}, algorithm);
    options.graph_path = graph_path;
    options.ssd_directories = copies() == 0 ? std::vector{graph_path} : directories_.paths();
    KnowSsds(link_cache_path_, options.ssd_directories);
    return options;
  }

  const SsdDirectories directories_{copies()};
};

TEST_P(SsdPlacementTest, GivesTheSameAnswerAsAllLocalAndLeavesNothing) {
  const std::string compressed_path = CompressedGraph();
  for (const std::string algorithm : {"mix", "weighted-mix", "cached-mix", "cached-weighted-mix"}) {
    const double sum = Sum(Options(0, {}, algorithm));
    for (const std::string& path : {graph_path_, compressed_path}) {
      JobOptions options = SsdOptions(algorithm, path);
      options.compressed = path == compressed_path;
      const auto report = RunJob(options);
      ASSERT_TRUE(report.ok()) << report.status();
      EXPECT_EQ(report->answer["sum"].get<double>(), sum) << algorithm << " " << path;
      EXPECT_EQ(report->transport, "ssd");
      EXPECT_NEAR(report->far_ratio, options.far_ratio, 0.25);
      EXPECT_GE(report->bytes_fetched, report->bytes_useful);
      EXPECT_GT(report->bytes_useful, 0u);
    }
  }
  for (const std::string& path : directories_.paths()) {
    EXPECT_TRUE(std::filesystem::is_empty(path));
  }
}

TEST_P(SsdPlacementTest, FileIsReadWhereItLiesIfItHoldsTheListsAsTheyAreRead) {
  EXPECT_EQ(RunJob(SsdOptions("weighted-mix", graph_path_))->attached, copies() == 0);
  const std::string compressed_path = CompressedGraph();
  JobOptions options = SsdOptions("mix", compressed_path);
  options.compressed = false;  // decoded: not as the file has them
  EXPECT_FALSE(RunJob(options)->attached);
}

INSTANTIATE_TEST_SUITE_P(All, SsdPlacementTest,
                         testing::Combine(testing::Values(0, 3), testing::Values(0.5, 1.0)));

/// Of all files without name that this process has open below a directory.
void TruncateUnnamedFiles(const std::string& directory) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    const std::string target = std::filesystem::read_symlink(entry.path(), error).string();
    if (error || !target.starts_with(directory) || !target.ends_with("(deleted)")) continue;
    ASSERT_EQ(ftruncate(std::stoi(entry.path().filename()), 0), 0);
  }
}

TEST_F(JobOnSsdTest, CopiesOnSsdsThatGoAreMadeUpForByTheGraphsFiles) {
  const SsdDirectories directories(3);
  for (const std::string algorithm : {"mix", "weighted-mix"}) {
    JobOptions options = Options(0.5, {}, algorithm);
    options.ssd_directories = directories.paths();
    between_scans = [&] {
      for (const std::string& path : directories.paths()) TruncateUnnamedFiles(path);
    };
    const auto report = RunJob(options);
    between_scans = [] {};
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->answer["sum"].get<double>(), Sum(Options(0, {}, algorithm)));
  }
}

/// A graph in stripes on three SSDs.
class PlacedJobTest : public JobOnSsdTest {
 protected:
  JobOptions PlacedOptions(const std::string& algorithm, const std::string& graph_path,
                           double far_ratio) const {
    const auto files = GraphFiles::Open(graph_path);
    EXPECT_TRUE(PlaceGraph(*files, {.directories = directories_.paths()}).ok());
    JobOptions options = Options(far_ratio, {}, algorithm);
    options.graph_path = graph_path;
    options.ssd_directories = directories_.paths();
    options.compressed = false;
    KnowSsds(link_cache_path_, options.ssd_directories);
    return options;
  }

  /// In its edges.
  void DamageAPart() const {
    for (const auto& entry : std::filesystem::directory_iterator(directories_.paths()[1])) {
      const bool are_edges = entry.path().string().find(".out.edges.") != std::string::npos;
      if (are_edges) FlipBit(entry.path(), kArrayDataOffset + 100);
    }
  }

  const SsdDirectories directories_{3};
};

TEST_F(PlacedJobTest, ReadsTheStripesAndWritesNothing) {
  for (const std::string& path : {graph_path_, CompressedGraph()}) {
    for (const std::string algorithm : {"mix", "weighted-mix", "cached-mix"}) {
      for (const double far_ratio : {0.5, 1.0}) {
        const auto report = RunJob(PlacedOptions(algorithm, path, far_ratio));
        ASSERT_TRUE(report.ok()) << report.status();
        EXPECT_EQ(report->answer["sum"].get<double>(), Sum(Options(0, {}, algorithm)))
            << algorithm << " " << path << " " << far_ratio;
        EXPECT_TRUE(report->attached) << algorithm << " " << path << " " << far_ratio;
        EXPECT_GT(report->bytes_fetched, 0u);
      }
    }
  }
}

TEST_F(PlacedJobTest, EdgesInStripesAreNotCopiedAsCodes) {
  JobOptions options = PlacedOptions("mix", CompressedGraph(), 1);
  options.compressed = std::nullopt;
  const auto placed = RunJob(options);
  ASSERT_TRUE(placed.ok()) << placed.status();
  EXPECT_FALSE(placed->compressed);
  EXPECT_TRUE(placed->attached);

  const SsdDirectories others(3);
  options.ssd_directories = others.paths();
  KnowSsds(link_cache_path_, options.ssd_directories);
  EXPECT_TRUE(RunJob(options)->compressed) << "which are faster over this link";
}

TEST_F(PlacedJobTest, AJobOnOtherDirectoriesMakesItsOwnCopies) {
  JobOptions options = PlacedOptions("mix", graph_path_, 1);
  const SsdDirectories more(1);
  options.ssd_directories.push_back(more.paths()[0]);
  KnowSsds(link_cache_path_, options.ssd_directories);
  const auto report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->attached);
}

TEST_F(PlacedJobTest, ADamagedStripeIsRefusedBeforeAnythingRuns) {
  const JobOptions options = PlacedOptions("mix", graph_path_, 1);
  DamageAPart();
  const absl::Status status = RunJob(options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("place the graph again"));
}

TEST_F(PlacedJobTest, StripesThatGoInMidRunAreMadeUpForByTheGraphsFiles) {
  for (const std::string algorithm : {"mix", "weighted-mix"}) {
    JobOptions options = PlacedOptions(algorithm, graph_path_, 1);
    between_scans = [&] {
      for (const std::string& path : directories_.paths()) {
        for (const auto& entry : std::filesystem::directory_iterator(path)) {
          std::filesystem::resize_file(entry.path(), 0);
        }
      }
    };
    const auto report = RunJob(options);
    between_scans = [] {};
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->answer["sum"].get<double>(), Sum(Options(0, {}, algorithm)));
  }
}

TEST_F(JobOnSsdTest, ADeviceReadsIntoWholeHugePagesWhichThePlanCounts) {
  JobOptions options = OwnFilesOptions(1, "mix");
  const auto rings_bytes = [&] {
    const auto forecast = ForecastJob(options);
    for (const PlannedSegment& planned : forecast->placement.segments) {
      if (planned.segment.name == "rings") return planned.segment.bytes;
    }
    return uint64_t{0};
  };
  std::string news;
  options.log = [&](absl::string_view line) { absl::StrAppend(&news, line, "\n"); };
  for (const uint64_t chunk_bytes : {64 * kKiB, kMiB}) {
    options.chunk_bytes = chunk_bytes;
    options.buffers = 3;
    const uint64_t least = omp_get_max_threads() * 3 * chunk_bytes;
    EXPECT_GE(rings_bytes(), least);
    EXPECT_LE(rings_bytes(), least + 2 * kHugePageBytes);
    EXPECT_EQ(rings_bytes() % kHugePageBytes, 0u);
    ASSERT_TRUE(RunJob(options).ok());
    EXPECT_THAT(news, testing::HasSubstr("read buffers: " + FormatBytes(rings_bytes())));
  }
}

TEST_F(JobOnSsdTest, StateStaysLocalWhereEdgesAreOnSsd) {
  constexpr uint64_t kManyEdges = 700'000;  // more bytes than there are buffers
  std::vector<InputEdge> edges;
  for (size_t i = 0; i < kManyEdges; ++i) edges.push_back(JobEdges()[i % kJobEdges]);
  JobOptions options = Options(0, {}, "steps");
  options.graph_path = directory_.path() + "/many";
  ASSERT_TRUE(WriteGraph(options.graph_path, kJobVertices, edges, {}).ok());
  options.ssd_directories = {options.graph_path};
  options.buffers = 1;
  options.local_memory_bytes = ForecastJob(options)->smallest_budget;
  const auto forecast = ForecastJob(options);
  ASSERT_TRUE(forecast.ok()) << forecast.status();
  EXPECT_EQ(forecast->planned.far_ratio, 1);
  EXPECT_EQ(forecast->placement.FarStateBytes(), 0u);
  --*options.local_memory_bytes;
  EXPECT_EQ(RunJob(options).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(JobOnSsdTest, SmallGraphsAreCutIntoSeveralChunksForEachThread) {
  const ThreadCount two(2);
  JobOptions options = OwnFilesOptions(1, "mix");
  options.chunk_bytes.reset();
  EXPECT_EQ(ForecastJob(options)->chunk_bytes, 64 * kKiB) << "eight of 72 KiB would be whole";

  options.graph_path = directory_.path() + "/larger";
  std::vector<InputEdge> edges;
  for (size_t i = 0; i < 5 * size_t{kJobEdges}; ++i) edges.push_back(JobEdges()[i % kJobEdges]);
  ASSERT_TRUE(WriteGraph(options.graph_path, kJobVertices, edges, {}).ok());
  options.ssd_directories = {options.graph_path};
  KnowSsds(link_cache_path_, options.ssd_directories);
  EXPECT_EQ(ForecastJob(options)->chunk_bytes, 128 * kKiB) << "32 of 88 KiB would be small";
}

}  // namespace
}  // namespace fargraph
