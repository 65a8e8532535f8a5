/// Jobs with memory nodes and SSDs at once.

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "common/files/test_directory.h"
#include "common/units.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/job/job.h"
#include "compute_node/job/job_forecast.h"
#include "compute_node/testing/known_links.h"
#include "compute_node/testing/memory_nodes.h"
#include "compute_node/testing/mix_kernels.h"
#include "compute_node/testing/shared_files.h"
#include "compute_node/testing/ssd_directories.h"
#include "compute_node/testing/thread_count.h"
#include "compute_node/tiers/far_memory.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr uint64_t kTieredVertices = 6000;
constexpr int kTieredEdges = 300'000;

/// Adds up a mix of every fifth and every 61st vertex and each of their neighbours.
class SparseMixKernel : public Kernel {
 public:
  absl::string_view name() const override { return "sparse-mix"; }
  absl::string_view summary() const override { return "mixes some neighbours, for tests"; }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdges; }
  std::vector<DataSegment> Segments(const GraphManifest&, const KernelOptions&) const override {
    return {};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions&) const override {
    std::vector<double> mix(graph.vertices());
    for (const VertexId step : {5, 61}) {
      std::vector<VertexId> members;
      for (VertexId v = 0; v < graph.vertices(); v += step) members.push_back(v);
      const VertexSubset active = VertexSubset::Of(graph.vertices(), members);
      for (const Direction direction : {Direction::kOut, Direction::kIn}) {
        const auto add = [&](VertexId v, absl::Span<const VertexId> neighbors) {
          for (const VertexId u : neighbors) mix[v] += step * ((v * 31 + u) % 1009);
        };
        FARGRAPH_RETURN_IF_ERROR(ForEachList(graph, direction, &active, add));
      }
    }
    KernelResult result;
    double sum = 0;
    for (const double value : mix) sum += value;
    result.answer["sum"] = sum;
    return result;
  }
  absl::Status Verify(const GraphFiles&, const KernelOptions&, const KernelResult&) const override {
    return absl::AbortedError("it never verifies");
  }
};
FARGRAPH_REGISTER_KERNEL(SparseMixKernel);

/// Random edges, of which an eighth is those of a hub.
const std::vector<InputEdge>& TieredEdges() {
  static const auto& edges = *[] {
    std::mt19937 random(1);
    auto* const drawn = new std::vector<InputEdge>;
    for (int i = 0; i < kTieredEdges; ++i) {
      drawn->push_back({.source = i % 8 == 0 ? 17 : random() % kTieredVertices,
                        .target = random() % kTieredVertices,
                        .weight_bits = static_cast<uint32_t>(random() % 1000)});
    }
    return drawn;
  }();
  return edges;
}

/// A random graph with a hub of several chunks; 1.2 MB of edges in each direction, and as much of
/// weights.
class TieredJobTest : public testing::Test {
 protected:
  TieredJobTest() { RegisterMixKernels(); }

  void SetUp() override {
    if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
  }

  static std::string Path(bool compressed) {
    return SharedGraph("tiered", kTieredVertices, TieredEdges(), compressed);
  }

  JobOptions Options(const std::string& algorithm, bool compressed = false) const {
    return {.algorithm = algorithm,
            .graph_path = Path(compressed),
            .chunk_bytes = 4096,
            .link_cache_path = link_cache_path_,
            .machine_profile_path = SharedMachineProfilePath(),
            .compressed = compressed};
  }

  /// All far, on such memory nodes and in the graph's own files.
  JobOptions TieredOptions(const std::string& algorithm, const MemoryNodes& nodes) const {
    JobOptions options = Options(algorithm);
    options.memory_nodes = nodes.addresses();
    options.ssd_directories = {options.graph_path};
    options.far_ratio = 1;
    KnowMemoryNodes(link_cache_path_, options.memory_nodes);
    KnowSsds(link_cache_path_, options.ssd_directories);
    return options;
  }

  static double Sum(const absl::StatusOr<JobReport>& report) {
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? report->answer["sum"].get<double>() : -1;
  }

  const TestDirectory directory_;
  const std::string link_cache_path_ = directory_.Path("links.json");
};

/// In how many copies on SSDs (0: in the graph's own files).
class TieredPlacementTest
    : public TieredJobTest,
      public testing::WithParamInterface<std::tuple<transport::Kind, size_t>> {};

TEST_P(TieredPlacementTest, GivesTheSameAnswerAsAllLocal) {
  const auto& [transport, copies] = GetParam();
  const MemoryNodes nodes(1 + copies, kMiB);
  const SsdDirectories directories(copies);
  for (const std::string algorithm : {"mix", "weighted-mix", "sparse-mix"}) {
    for (const bool compressed : {false, true}) {
      JobOptions options = Options(algorithm, compressed);
      const double local = Sum(RunJob(options));
      options.memory_nodes = nodes.addresses();
      options.transport = transport;
      options.ssd_directories = copies == 0 ? std::vector{options.graph_path} : directories.paths();
      options.far_ratio = 0.9;
      KnowMemoryNodes(link_cache_path_, options.memory_nodes);
      KnowSsds(link_cache_path_, options.ssd_directories);
      for (const uint64_t buffers : {1, 9}) {
        options.buffers = buffers;
        const auto report = RunJob(options);
        EXPECT_EQ(Sum(report), local) << algorithm << compressed << buffers;
        EXPECT_EQ(report->transport, std::string(transport::KindName(transport)) + "+ssd");
        EXPECT_NEAR(report->far_ratio, 0.9, 0.1);
        EXPECT_GE(report->bytes_fetched, report->bytes_useful);
      }
    }
  }
  for (const std::string& path : directories.paths()) {
    EXPECT_TRUE(std::filesystem::is_empty(path));
  }
}

INSTANTIATE_TEST_SUITE_P(All, TieredPlacementTest,
                         testing::Combine(testing::Values(transport::Kind::kShm,
                                                          transport::Kind::kTcp),
                                          testing::Values(0, 2)));

TEST_F(TieredJobTest, MemoryNodesTakeWhatTheyHaveRoomForAndSsdsTheRest) {
  const MemoryNodes nodes(1, kMiB);
  const JobOptions options = TieredOptions("mix", nodes);
  const auto forecast = ForecastJob(options);
  ASSERT_TRUE(forecast.ok()) << forecast.status();
  const PlacementPlan& plan = forecast->placement;
  const uint64_t on_memory_nodes = plan.far_bytes - plan.SsdBytes();
  EXPECT_LE(on_memory_nodes, kMiB);
  EXPECT_GT(on_memory_nodes, kMiB / 2);
  EXPECT_EQ(plan.RatiosOf("in.edges").on_memory_nodes, 0) << "lists of out-edges come first";
  const auto report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_NEAR(report->ssd_ratio, static_cast<double>(plan.SsdBytes()) / plan.far_bytes, 0.05);
  EXPECT_GE(report->bytes_fetched, 2 * kTieredEdges * sizeof(VertexId));
}

TEST_F(TieredJobTest, NodesWithRoomForAllTakeAllAndFullOnesNothing) {
  EXPECT_EQ(RunJob(TieredOptions("mix", MemoryNodes(1, 16 * kMiB)))->ssd_ratio, 0);
  const MemoryNodes small(1, 64 * kKiB);
  EXPECT_EQ(RunJob(TieredOptions("mix", small))->ssd_ratio, 1);
}

TEST_F(TieredJobTest, WhatTheNodesHaveLostSinceThePlanGoesToSsdsToo) {
  const MemoryNodes nodes(1, kMiB);
  JobOptions options = TieredOptions("mix", nodes);
  const auto other = *FarMemory::Connect({.memory_nodes = nodes.addresses()});
  options.on_plan = [&](const JobForecast&) {
    EXPECT_TRUE(other->Allocate("another job's", 800 * kKiB).ok());
  };
  const auto report = RunJob(options);
  EXPECT_EQ(Sum(report), Sum(RunJob(Options("mix"))));
  EXPECT_GT(report->ssd_ratio, 0.8);
  EXPECT_LT(report->ssd_ratio, 1);
}

TEST_F(TieredJobTest, WhatMemoryNodesKeepIsFoundAgainByJobsWithAndWithoutSsds) {
  const MemoryNodes nodes(1, kMiB);
  JobOptions options = TieredOptions("mix", nodes);
  options.keep = true;
  const auto first = RunJob(options);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_FALSE(first->attached);
  const auto again = RunJob(options);
  EXPECT_EQ(Sum(again), Sum(first));
  EXPECT_TRUE(again->attached);
  EXPECT_EQ(again->ssd_ratio, first->ssd_ratio);

  options.graph_path = Path(/*compressed=*/false);
  options.ssd_directories.clear();
  options.far_ratio = 0.05;
  const auto without = RunJob(options);
  EXPECT_EQ(Sum(without), Sum(first));
  EXPECT_EQ(without->ssd_ratio, 0);
}

TEST_F(TieredJobTest, StateGoesToMemoryNodesBeforeListsWhereTheyHaveRoom) {
  const ThreadCount two(2);
  const std::string path = directory_.path() + "/many";
  const std::vector<InputEdge> edges(kTieredEdges, {.source = 99'999, .target = 1});
  ASSERT_TRUE(WriteGraph(path, /*vertices=*/100'000, edges, {}).ok());
  for (const bool have_room : {false, true}) {
    const MemoryNodes nodes(1, have_room ? 4 * kMiB : 16 * kKiB);  // on huge pages, too
    JobOptions options = TieredOptions("steps", nodes);
    options.graph_path = path;
    options.ssd_directories = {path};
    options.buffers = 1;
    const uint64_t smallest = ForecastJob(options)->smallest_budget;
    options.local_memory_bytes = smallest;
    const auto forecast = ForecastJob(options);
    ASSERT_TRUE(forecast.ok()) << forecast.status();
    EXPECT_EQ(forecast->planned.far_ratio, 1);
    EXPECT_EQ(forecast->placement.FarStateBytes() > 0, have_room);
    JobOptions local = Options("steps");
    local.graph_path = path;
    EXPECT_EQ(Sum(RunJob(options)), Sum(RunJob(local)));
    options.local_memory_bytes = smallest - 1;
    EXPECT_EQ(RunJob(options).status().code(), absl::StatusCode::kResourceExhausted);
  }
}

}  // namespace
}  // namespace fargraph
