#include "compute_node/job.h"

#include <omp.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/control/memory_node_client.h"
#include "common/huge_pages.h"
#include "common/units.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/sequential_array.h"
#include "compute_node/job_forecast.h"
#include "compute_node/testing/known_links.h"
#include "compute_node/testing/memory_nodes.h"
#include "compute_node/testing/shared_files.h"
#include "compute_node/testing/ssd_directories.h"
#include "compute_node/testing/thread_count.h"
#include "gmock/gmock.h"
#include "graph/format/array_format.h"
#include "graph/test_directory.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace fargraph {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr uint64_t kJobVertices = 3000;
constexpr int kJobEdges = 200'000;  // more than one stripe

std::function<void()> between_scans = [] {};

/// Adds up over all vertices a mix of the vertex and each of its neighbours, in both directions:
/// any edge that is lost, doubled or wrong changes the sums.
class MixKernel : public Kernel {
 public:
  absl::string_view name() const override { return "mix"; }
  absl::string_view summary() const override { return "mixes neighbours, for tests"; }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdgesIfStored; }
  bool scans_only() const override { return true; }
  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    return {VertexSegment<double>("mix", graph.vertices, kRandomReadWrite)};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    VertexArray<double> mix(graph.vertices());
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const auto add = [&](VertexId v, absl::Span<const VertexId> neighbors) {
        for (const VertexId u : neighbors) mix[v] += (v * 31 + u) % 1009;
      };
      if (graph.Has(direction))
        FARGRAPH_RETURN_IF_ERROR(ForEachList(graph, direction, nullptr, add));
      graph.EndIteration(graph.vertices());
      between_scans();
    }
    KernelResult result;
    double sum = 0;
    for (const double value : mix) sum += value;
    result.answer["sum"] = sum;
    FARGRAPH_ASSIGN_OR_RETURN(result.answer["source"], graph.InputId(options.source.value_or(0)));
    result.columns.push_back({"mix", std::move(mix)});
    return result;
  }

  absl::Status Verify(const GraphFiles&, const KernelOptions&, const KernelResult&) const override {
    return absl::AbortedError("the mix kernel never verifies");
  }
};
FARGRAPH_REGISTER_KERNEL(MixKernel);

/// The same in a job that has a cache of lists, for walks over some of the vertices.
class CachedMixKernel : public MixKernel {
 public:
  absl::string_view name() const override { return "cached-mix"; }
  bool scans_only() const override { return false; }
};
FARGRAPH_REGISTER_KERNEL(CachedMixKernel);

/// The same with weights: any weight that is lost or comes to another edge changes the sums.
class WeightedMixKernel : public MixKernel {
 public:
  absl::string_view name() const override { return "weighted-mix"; }
  ListUse out_lists() const override { return ListUse::kWeightedEdges; }
  ListUse in_lists() const override { return ListUse::kWeightedEdges; }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions&) const override {
    std::vector<double> mix(graph.vertices());
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const auto add = [&](VertexId v, absl::Span<const VertexId> neighbors, auto weights) {
        for (size_t i = 0; i < neighbors.size(); ++i)
          mix[v] += int64_t{(v * 31 + neighbors[i]) % 1009} * weights[i];
      };
      FARGRAPH_RETURN_IF_ERROR(ForEachWeightedList<int32_t>(graph, direction, nullptr, add));
      graph.EndIteration(graph.vertices());
    }
    KernelResult result;
    result.answer["sum"] = std::accumulate(mix.begin(), mix.end(), 0.0);
    return result;
  }
};
FARGRAPH_REGISTER_KERNEL(WeightedMixKernel);

/// Keeps a value per vertex that it changes in order, once an iteration: any that is lost or comes
/// to another vertex changes the column.
class StepsKernel : public MixKernel {
 public:
  absl::string_view name() const override { return "steps"; }
  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    return {SequentialSegment<double>("steps", graph.vertices),
            VertexSegment<double>("mix", graph.vertices, kRandomReadWrite)};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    FARGRAPH_ASSIGN_OR_RETURN(auto steps, SequentialArray<double>::Make(graph, "steps", 1));
    for (int i = 0; i < 3; ++i) {
      FARGRAPH_ASSIGN_OR_RETURN(const KernelResult mixed, MixKernel::Run(graph, options));
      const auto& mix = std::get<VertexArray<double>>(mixed.columns[0].values);
      const auto step = [&](int, VertexId first, absl::Span<double> values) {
        for (size_t j = 0; j < values.size(); ++j) values[j] = values[j] / 3 + mix[first + j] * j;
      };
      FARGRAPH_RETURN_IF_ERROR(ForEachBlock(step, steps));
    }
    KernelResult result;
    FARGRAPH_ASSIGN_OR_RETURN(auto column, steps.Take(VertexArray<double>(graph.vertices())));
    result.answer["sum"] = std::accumulate(column.begin(), column.end(), 0.0);
    return result;
  }
};
FARGRAPH_REGISTER_KERNEL(StepsKernel);

/// Random edges, of which a third is those of a hub.
const std::vector<InputEdge>& JobEdges() {
  static const auto& edges = *[] {
    std::mt19937 random(1);
    auto* const drawn = new std::vector<InputEdge>;
    for (int i = 0; i < kJobEdges; ++i) {
      const uint64_t source = i % 3 == 0 ? 17 : random() % kJobVertices;
      drawn->push_back({.source = source,
                        .target = random() % kJobVertices,
                        .weight_bits = static_cast<uint32_t>(random() % 256)});
    }
    return drawn;
  }();
  return edges;
}

/// A random graph with a hub of several chunks, on disk, with weights that most kernels ignore.
class JobTest : public testing::Test {
 protected:
  JobOptions Options(double far_ratio, const std::vector<std::string>& memory_nodes,
                     const std::string& algorithm = "mix") const {
    KnowMemoryNodes(link_cache_path_, memory_nodes);
    return {.algorithm = algorithm,
            .graph_path = graph_path_,
            .memory_nodes = memory_nodes,
            .far_ratio = far_ratio,
            .chunk_bytes = 4096,
            .link_cache_path = link_cache_path_,
            .machine_profile_path = SharedMachineProfilePath()};
  }

  /// The same graph, its lists as codes.
  static std::string CompressedGraph() {
    return SharedGraph("job", kJobVertices, JobEdges(), /*compressed=*/true);
  }

  double Sum(const JobOptions& options) {
    const auto report = RunJob(options);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? report->answer["sum"].get<double>() : -1;
  }

  TestDirectory directory_;
  const std::string link_cache_path_ = directory_.Path("links.json");
  const std::string graph_path_ =
      SharedGraph("job", kJobVertices, JobEdges(), /*compressed=*/false);
};

class JobPlacementTest
    : public JobTest,
      public testing::WithParamInterface<std::tuple<transport::Kind, size_t, double>> {};

TEST_P(JobPlacementTest, GivesTheSameAnswerAsAllLocal) {
  const auto& [kind, node_count, far_ratio] = GetParam();
  const MemoryNodes nodes(node_count);
  for (const bool weighted : {false, true}) {
    const std::string algorithm = weighted ? "weighted-mix" : "mix";
    JobOptions options = Options(far_ratio, nodes.addresses(), algorithm);
    options.transport = kind;
    const auto report = RunJob(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->answer["sum"].get<double>(), Sum(Options(0, {}, algorithm)));
    EXPECT_NEAR(report->far_ratio, far_ratio,
                0.25);  // the hub is a sixth of all bytes, and goes as a whole
    EXPECT_EQ(report->transport, transport::KindName(kind));
    EXPECT_EQ(report->bytes_fetched, report->bytes_useful) << "a full scan fetches nothing in vain";
    const uint64_t bytes_per_edge =
        sizeof(VertexId) + (weighted ? WeightBytes(WeightType::kUint8) : 0);
    EXPECT_NEAR(report->bytes_fetched, report->far_ratio * 2 * kJobEdges * bytes_per_edge, 1);
    EXPECT_GT(report->link_peak_bytes_per_second, 0);
  }
}

TEST_P(JobPlacementTest, ACacheInPlaceOfTheLocalShareChangesNoAnswer) {
  const auto& [kind, node_count, far_ratio] = GetParam();
  const MemoryNodes nodes(node_count);
  const double sum = Sum(Options(0, {}, "cached-mix"));
  for (const bool compressed : {false, true}) {
    JobOptions options = Options(far_ratio, nodes.addresses(), "cached-mix");
    options.transport = kind;
    if (compressed) options.graph_path = CompressedGraph();
    options.compressed = compressed;
    const auto report = RunJob(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->answer["sum"].get<double>(), sum);
    EXPECT_NEAR(report->far_ratio, far_ratio, 0.25);
    EXPECT_EQ(report->bytes_fetched, report->bytes_useful);
  }
}

INSTANTIATE_TEST_SUITE_P(All, JobPlacementTest,
                         testing::Combine(testing::Values(transport::Kind::kShm,
                                                          transport::Kind::kTcp),
                                          testing::Values(1, 3), testing::Values(0.5, 0.8, 1.0)));

TEST_P(JobPlacementTest, CompressedListsGiveTheSameAnswerFromFewerBytes) {
  const auto& [kind, node_count, far_ratio] = GetParam();
  const MemoryNodes nodes(node_count);
  const std::string compressed_path = CompressedGraph();
  for (const std::string algorithm : {"mix", "weighted-mix"}) {
    const double sum = Sum(Options(0, {}, algorithm));
    JobOptions options = Options(far_ratio, nodes.addresses(), algorithm);
    options.transport = kind;
    options.graph_path = compressed_path;
    for (const bool compressed : {false, true}) {
      options.compressed = compressed;
      const auto report = RunJob(options);
      ASSERT_TRUE(report.ok()) << report.status();
      EXPECT_EQ(report->answer["sum"].get<double>(), sum);
      EXPECT_EQ(report->bytes_fetched, report->bytes_useful);
      EXPECT_EQ(report->compressed, compressed);
      if (algorithm == "mix" && compressed) {
        EXPECT_LT(report->bytes_fetched, report->far_ratio * kJobEdges * sizeof(VertexId));
      }
    }
  }
}

/// On SSDs: in the graph's own files, or in copies.
class SsdJobTest : public JobTest, public testing::WithParamInterface<std::tuple<size_t, double>> {
 protected:
  void SetUp() override {
    if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
  }

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

TEST_P(SsdJobTest, GivesTheSameAnswerAsAllLocalAndLeavesNothing) {
  const std::string compressed_path = CompressedGraph();
  for (const std::string algorithm : {"mix", "weighted-mix", "cached-mix"}) {
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

TEST_P(SsdJobTest, FileIsReadWhereItLiesIfItHoldsTheListsAsTheyAreRead) {
  EXPECT_EQ(RunJob(SsdOptions("weighted-mix", graph_path_))->attached, copies() == 0);
  const std::string compressed_path = CompressedGraph();
  JobOptions options = SsdOptions("mix", compressed_path);
  options.compressed = false;  // decoded: not as the file has them
  EXPECT_FALSE(RunJob(options)->attached);
}

/// Of all files without name that this process has open below a directory.
void TruncateUnnamedFiles(const std::string& directory) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    const std::string target = std::filesystem::read_symlink(entry.path(), error).string();
    if (error || !target.starts_with(directory) || !target.ends_with("(deleted)")) continue;
    ASSERT_EQ(ftruncate(std::stoi(entry.path().filename()), 0), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SsdJobTest,
                         testing::Combine(testing::Values(0, 3), testing::Values(0.5, 1.0)));

TEST_F(JobTest, CopiesOnSsdsThatGoAreMadeUpForByTheGraphsFiles) {
  if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
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

TEST_F(JobTest, TheLocalShareOfListsOnSsdsIsACacheThatBeginsFull) {
  if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
  JobOptions options = Options(0.5, {}, "cached-mix");
  options.ssd_directories = {graph_path_};
  ExpectACacheThatBeginsFull(options);
}

TEST_F(JobTest, TheLocalShareOfListsOnMemoryNodesIsACacheThatBeginsFull) {
  const MemoryNodes nodes(2);
  ExpectACacheThatBeginsFull(Options(0.5, nodes.addresses(), "cached-mix"));
}

TEST_F(JobTest, WhereMemoryNodesHaveNoRoomForAllListsTheLocalShareIsNowhereElse) {
  const uint64_t all_bytes = 2 * kJobEdges * sizeof(VertexId);  // of both directions
  const MemoryNodes nodes(1, all_bytes * 3 / 4);
  const JobOptions options = Options(0.4, nodes.addresses(), "cached-mix");
  EXPECT_EQ(CacheShareBytes(options), 0u);
  EXPECT_EQ(Sum(options), Sum(Options(0, {}, "cached-mix")));
}

TEST_F(JobTest, KeptListsNeedNoOtherRoom) {
  const uint64_t all_bytes = 2 * kJobEdges * sizeof(VertexId);
  const MemoryNodes nodes(1, all_bytes * 3 / 2);
  JobOptions options = Options(0.5, nodes.addresses(), "cached-mix");
  options.keep = true;
  for (int run = 0; run < 2; ++run) {
    EXPECT_GT(CacheShareBytes(options), 0u);
    EXPECT_EQ(RunJob(options)->attached, run > 0);
  }
}

TEST_F(JobTest, ListsThatAreLongerThanChunksStayLocalAsFarAsTheyHaveRoom) {
  if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
  JobOptions options = Options(0.5, {}, "cached-mix");
  options.ssd_directories = {graph_path_};
  options.chunk_bytes = 128;  // a list has 267 bytes on the mean
  EXPECT_EQ(CacheShareBytes(options), 0u);
  const auto report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_NEAR(report->far_ratio, 0.5, 0.25);
  EXPECT_EQ(report->answer["sum"].get<double>(), Sum(Options(0, {}, "mix")));
}

TEST_F(JobTest, ATraceHasAllReadsOfListsOnSsds) {
  if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
  JobOptions options = Options(0.5, {}, "cached-mix");
  options.ssd_directories = {graph_path_};
  options.read_trace_path = directory_.path() + "/trace";
  EXPECT_EQ(CacheShareBytes(options), 0u);
}

TEST_F(JobTest, ADeviceReadsIntoWholeHugePagesWhichThePlanCounts) {
  if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
  JobOptions options = Options(1, {}, "mix");
  options.ssd_directories = {graph_path_};
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

TEST_F(JobTest, StateStaysLocalWhereEdgesAreOnSsd) {
  if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
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

class FarStateTest : public JobTest,
                     public testing::WithParamInterface<std::tuple<transport::Kind, size_t>> {
 protected:
  static constexpr uint64_t kManyVertices = 200'000;  // whose state is larger than its buffers

  FarStateTest() {
    options_ = Options(0, nodes_.addresses(), "steps");
    options_.transport = std::get<0>(GetParam());
    options_.buffers = 4;
    std::vector<InputEdge> edges = JobEdges();
    for (InputEdge& edge : edges) edge.target = edge.target * 61 % kManyVertices;
    options_.graph_path = SharedGraph("many", kManyVertices, edges, /*compressed=*/false);
  }

  uint64_t SmallestBudget() { return ForecastJob(options_)->smallest_budget; }

  MemoryNodes nodes_{std::get<1>(GetParam())};
  JobOptions options_;
};

TEST_P(FarStateTest, GivesTheSameAnswerWithinASmallerBudget) {
  const double local = Sum(options_);
  options_.far_ratio = 1;
  const auto edges_far = RunJob(options_);
  ASSERT_TRUE(edges_far.ok()) << edges_far.status();
  const uint64_t smallest = SmallestBudget();
  const uint64_t state_bytes = kManyVertices * sizeof(double);
  const uint64_t buffer_bytes = omp_get_max_threads() * BlockStream::kRingBytes;
  ASSERT_LT(buffer_bytes, state_bytes);
  options_.trials = 2;
  options_.local_memory_bytes = smallest;
  auto report = RunJob(options_);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->answer["sum"].get<double>(), local);
  EXPECT_EQ(report->far_ratio, 1);
  EXPECT_EQ(report->bytes_fetched, edges_far->bytes_fetched + 8 * state_bytes)
      << "filled, three times fetched and written back, and taken";

  options_.local_memory_bytes = smallest + state_bytes - buffer_bytes;
  report = RunJob(options_);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->answer["sum"].get<double>(), local);
  EXPECT_LE(report->bytes_fetched, edges_far->bytes_fetched) << "there is room for it";

  options_.local_memory_bytes = smallest - 1;
  EXPECT_EQ(RunJob(options_).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST_P(FarStateTest, ALostNodeIsUnavailable) {
  options_.local_memory_bytes = SmallestBudget();
  int scans = 0;
  between_scans = [&] {
    if (++scans == 2) nodes_.Stop(0);
  };
  const absl::Status status = RunJob(options_).status();
  between_scans = [] {};
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
}

INSTANTIATE_TEST_SUITE_P(All, FarStateTest,
                         testing::Combine(testing::Values(transport::Kind::kShm,
                                                          transport::Kind::kTcp),
                                          testing::Values(1, 3)));

TEST_F(JobTest, ListsThatAreNotCompressedCannotStayCompressed) {
  JobOptions options = Options(0, {});
  options.compressed = true;
  const absl::Status status = RunJob(options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("--compress"));
}

TEST_F(JobTest, ChoosesShmOnOneHost) {
  const MemoryNodes nodes(2);
  const auto report = RunJob(Options(1, nodes.addresses()));
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->transport, "shm");
}

TEST_F(JobTest, AttachesToWhatIsKeptAndLeavesNothingElse) {
  const MemoryNodes nodes(3);
  JobOptions options = Options(0.8, nodes.addresses());
  const auto allocated = [&] {
    uint64_t bytes = 0;
    for (const std::string& address : nodes.addresses()) {
      bytes += (*(*MemoryNodeClient::Connect(address))->Stats()).allocated_bytes;
    }
    return bytes;
  };
  const double sum = Sum(options);
  EXPECT_EQ(allocated(), 0u);

  options.keep = true;
  auto report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->attached);
  const uint64_t kept = allocated();
  EXPECT_GT(kept, 0u);

  options.keep = false;
  for (const double far_ratio : {1.0, 0.8, 0.5}) {  // whole arrays were kept
    options.far_ratio = far_ratio;
    const std::vector<std::string> addresses = nodes.addresses();
    options.memory_nodes.assign(addresses.rbegin(),
                                addresses.rend());  // their order does not matter
    report = RunJob(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_TRUE(report->attached);
    EXPECT_EQ(report->answer["sum"].get<double>(), sum);
    EXPECT_EQ(allocated(), kept);
  }
}

TEST_F(JobTest, OfListsThatHaveNoRoomAsAWholeTheFarPartIsKept) {
  const uint64_t all_bytes = 2 * kJobEdges * sizeof(VertexId);
  const MemoryNodes nodes(1, all_bytes);  // segments take a little more
  JobOptions options = Options(0.3, nodes.addresses());
  const double sum = Sum(options);
  options.keep = true;
  for (const auto& [far_ratio, attached] :
       {std::pair{0.3, false}, {0.3, true}, {0.2, true}, {0.5, false}}) {
    options.far_ratio = far_ratio;
    const auto report = RunJob(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->attached, attached);
    EXPECT_EQ(report->answer["sum"].get<double>(), sum);
  }
}

TEST_F(JobTest, NeedsNoListsOfItsOwnWhereAllAreKept) {
  const MemoryNodes nodes(1);
  JobOptions options = Options(1, nodes.addresses());
  options.graph_path = directory_.Path("copy");
  options.run_history_path = directory_.Path("runs.json");
  options.keep = true;
  std::filesystem::copy(graph_path_, options.graph_path);
  const double sum = Sum(options);
  {
    std::fstream edges(options.graph_path + "/out.edges", std::ios::in | std::ios::out);
    edges.seekp(kArrayDataOffset);
    edges << "damage";
  }
  EXPECT_EQ(Sum(options), sum);
  EXPECT_EQ(ForecastJob(options).status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(JobTest, EveryTrialIsTimedAndTheLastOneReported) {
  const MemoryNodes nodes(1);
  JobOptions options = Options(0.5, nodes.addresses());
  const auto once = RunJob(options);
  options.trials = 3;
  const auto thrice = RunJob(options);
  ASSERT_TRUE(once.ok() && thrice.ok()) << once.status() << thrice.status();
  ASSERT_EQ(once->trial_seconds.size(), 1u);
  ASSERT_EQ(thrice->trial_seconds.size(), 3u);
  EXPECT_EQ(thrice->seconds, thrice->trial_seconds.back());
  EXPECT_EQ(thrice->answer, once->answer);
  EXPECT_EQ(thrice->iterations, once->iterations);
  EXPECT_EQ(thrice->bytes_fetched, once->bytes_fetched);
  EXPECT_EQ(thrice->requests, once->requests);
}

TEST_F(JobTest, ReadsTheWeightsOfTheFiles) {
  double sum = 0;
  for (const InputEdge& edge : JobEdges()) {
    const uint64_t mix =
        (edge.source * 31 + edge.target) % 1009 + (edge.target * 31 + edge.source) % 1009;
    sum += static_cast<double>(mix * edge.weight_bits);
  }
  EXPECT_EQ(Sum(Options(0, {}, "weighted-mix")), sum);
}

TEST_F(JobTest, WithoutWeightsEveryEdgeHasWeightOneAndTheJobSaysSo) {
  JobOptions options = Options(0, {}, "weighted-mix");
  options.graph_path = directory_.path() + "/unweighted";
  ASSERT_TRUE(WriteGraph(options.graph_path, kJobVertices, JobEdges()).ok());
  std::vector<std::string> lines;
  options.log = [&](absl::string_view line) { lines.emplace_back(line); };
  EXPECT_EQ(Sum(options), Sum(Options(0, {}, "mix")));
  EXPECT_THAT(lines, Contains(HasSubstr("has no weights: every edge has weight 1")));
}

TEST_F(JobTest, UsesWhatIsKeptInTheChunksThatItHas) {
  const MemoryNodes nodes(2);
  JobOptions options = Options(0.8, nodes.addresses());
  options.keep = true;
  options.chunk_bytes = 5120;  // no tuner chooses it
  ASSERT_TRUE(RunJob(options).ok());

  options.chunk_bytes.reset();
  auto report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->attached);
  EXPECT_EQ(report->chunk_bytes, 5120u);

  options.compressed = true;  // of which nothing is there
  options.graph_path = CompressedGraph();
  report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->attached);
  EXPECT_NE(report->chunk_bytes, 5120u);
}

TEST_F(JobTest, CompressedListsAreReadAsCodesWhereTheLinkIsTheLimit) {
  const MemoryNodes nodes(1);
  JobOptions options = Options(0.8, nodes.addresses());
  options.graph_path = CompressedGraph();
  ASSERT_TRUE(RunJob(options).ok());
  nlohmann::json measured;
  std::ifstream(link_cache_path_) >> measured;
  for (const auto& [bytes_per_second, is_limit] : {std::pair{1e7, true}, std::pair{1e12, false}}) {
    for (nlohmann::json& link : measured["links"])
      link["sweep"]["bytes_per_second"] = bytes_per_second;
    std::ofstream(link_cache_path_) << measured;
    const auto report = RunJob(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->compressed, is_limit);
  }
}

TEST_F(JobTest, JobsWithAndWithoutWeightsShareTheEdges) {
  const MemoryNodes nodes(1);
  const auto kept = [&] {
    return (*(*MemoryNodeClient::Connect(nodes.addresses()[0]))->Stats()).allocated_bytes;
  };
  JobOptions options = Options(1, nodes.addresses());
  options.keep = true;
  ASSERT_TRUE(RunJob(options).ok());
  const uint64_t edges = kept();

  options.algorithm = "weighted-mix";
  auto report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->attached);
  EXPECT_EQ(kept(), edges + edges * WeightBytes(WeightType::kUint8) / sizeof(VertexId));

  report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->attached);
}

TEST_F(JobTest, StaysWithinItsLocalMemory) {
  const MemoryNodes nodes(1);
  JobOptions options = Options(0, nodes.addresses());
  options.local_memory_bytes = 16 * kMiB;
  EXPECT_EQ(RunJob(options)->far_ratio, 0);
  options.local_memory_bytes = 1000;
  const auto refused = RunJob(options);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.status().message()),
              HasSubstr("the smallest budget that does is"));
}

TEST_F(JobTest, ABudgetHasFewerAndThenSmallerBuffersThanTheLinkCouldUse) {
  const ThreadCount two(2);
  const MemoryNodes nodes(1);
  JobOptions options = Options(1, nodes.addresses());
  options.transport = transport::Kind::kTcp;
  options.graph_path = directory_.path() + "/many";
  std::vector<InputEdge> edges;
  for (size_t i = 0; i < 700'000; ++i) edges.push_back(JobEdges()[i % kJobEdges]);
  ASSERT_TRUE(WriteGraph(options.graph_path, kJobVertices, edges, {}).ok());
  const double sum = Sum(options);
  nlohmann::json measured;
  std::ifstream(link_cache_path_) >> measured;
  for (nlohmann::json& link : measured["links"]) {
    link["sweep"]["chunk_bytes"] = 128 * kKiB;
    link["sweep"]["slots"] = 100;
  }
  std::ofstream(link_cache_path_) << measured;

  options.chunk_bytes.reset();
  EXPECT_EQ(ForecastJob(options)->buffers, 100u) << "without a budget";
  const uint64_t smallest = ForecastJob(options)->smallest_budget;
  options.local_memory_bytes = smallest;
  auto forecast = ForecastJob(options);
  ASSERT_TRUE(forecast.ok()) << forecast.status();
  EXPECT_EQ(forecast->chunk_bytes, 64 * kKiB);
  EXPECT_EQ(forecast->buffers, 2u);
  EXPECT_EQ(Sum(options), sum);

  options.local_memory_bytes = smallest + 2 * 2 * 64 * kKiB;
  forecast = ForecastJob(options);
  EXPECT_EQ(forecast->chunk_bytes, 128 * kKiB);
  EXPECT_EQ(forecast->buffers, 2u);

  options.chunk_bytes = 4096;
  forecast = ForecastJob(options);
  EXPECT_GT(forecast->buffers, 2u);
  EXPECT_LE(forecast->buffers * 2 * 4096, *options.local_memory_bytes / 8);

  options.buffers = 100;
  EXPECT_EQ(RunJob(options).status().code(), absl::StatusCode::kResourceExhausted) << "as asked";
}

TEST_F(JobTest, ASourceOutOfRangeIsRefused) {
  JobOptions options = Options(0, {});
  options.source = kJobVertices - 1;
  EXPECT_EQ(RunJob(options)->answer["source"].get<uint64_t>(), kJobVertices - 1);
  options.source = kJobVertices;
  EXPECT_EQ(RunJob(options).status().code(), absl::StatusCode::kOutOfRange);
}

TEST_F(JobTest, AFullNodeIsNamed) {
  const MemoryNodes nodes(1, /*capacity_bytes=*/64 * kKiB);
  const absl::Status status = RunJob(Options(0.8, nodes.addresses())).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr(nodes.addresses()[0]));
}

TEST_F(JobTest, TheTokenMustBeRight) {
  const MemoryNodes nodes(1, 64 * kMiB, "open-sesame");
  JobOptions options = Options(0.8, nodes.addresses());
  options.token = "guess";
  EXPECT_EQ(RunJob(options).status().code(), absl::StatusCode::kUnauthenticated);
  options.token = "open-sesame";
  EXPECT_TRUE(RunJob(options).ok());
}

TEST_F(JobTest, NobodyThere) {
  const absl::Status status = RunJob(Options(0.8, {"127.0.0.1:1"})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("127.0.0.1:1"));
}

TEST_F(JobTest, ANodeLostInTheMiddleEndsTheJob) {
  for (const transport::Kind kind : {transport::Kind::kShm, transport::Kind::kTcp}) {
    MemoryNodes nodes(2);
    JobOptions options = Options(1, nodes.addresses());
    options.transport = kind;
    between_scans = [&] { nodes.Stop(1); };
    const absl::Status status = RunJob(options).status();
    between_scans = [] {};
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  }
}

TEST_F(JobTest, StopsWhenAskedAndLeavesNothing) {
  const MemoryNodes nodes(1);
  std::atomic<bool> cancelled = false;
  JobOptions options = Options(0.8, nodes.addresses());
  options.cancelled = &cancelled;
  options.output_path = directory_.path() + "/output";
  between_scans = [&] { cancelled = true; };
  EXPECT_EQ(RunJob(options).status().code(), absl::StatusCode::kCancelled);
  between_scans = [] {};
  EXPECT_EQ((*(*MemoryNodeClient::Connect(nodes.addresses()[0]))->Stats()).allocated_bytes, 0u);
}

TEST_F(JobTest, AWrongAnswerIsAborted) {
  JobOptions options = Options(0, {});
  options.verify = true;
  EXPECT_EQ(RunJob(options).status().code(), absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace fargraph
