#include "compute_node/job/job.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/control/memory_node_client.h"
#include "common/units.h"
#include "compute_node/job/job_forecast.h"
#include "compute_node/testing/job_fixture.h"
#include "compute_node/testing/memory_nodes.h"
#include "compute_node/testing/mix_kernels.h"
#include "compute_node/testing/thread_count.h"
#include "gmock/gmock.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace fargraph {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

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
  for (const std::string algorithm : {"cached-mix", "cached-weighted-mix"}) {
    const double sum = Sum(Options(0, {}, algorithm));
    for (const bool compressed : {false, true}) {
      JobOptions options = Options(far_ratio, nodes.addresses(), algorithm);
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
}

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
      EXPECT_EQ(report->compressed, compressed && algorithm == "mix");
      if (report->compressed) {
        EXPECT_LT(report->bytes_fetched, report->far_ratio * kJobEdges * sizeof(VertexId));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, JobPlacementTest,
                         testing::Combine(testing::Values(transport::Kind::kShm,
                                                          transport::Kind::kTcp),
                                          testing::Values(1, 3), testing::Values(0.5, 0.8, 1.0)));

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

/// As if the links that were measured carried so much.
void SetLinkSpeed(const std::string& link_cache_path, double bytes_per_second) {
  nlohmann::json measured;
  std::ifstream(link_cache_path) >> measured;
  for (nlohmann::json& link : measured["links"])
    link["sweep"]["bytes_per_second"] = bytes_per_second;
  std::ofstream(link_cache_path) << measured;
}

TEST_F(JobTest, CompressedListsAreReadAsCodesWhereTheLinkIsTheLimit) {
  const MemoryNodes nodes(1);
  JobOptions options = Options(0.8, nodes.addresses());
  options.graph_path = CompressedGraph();
  ASSERT_TRUE(RunJob(options).ok());
  for (const auto& [bytes_per_second, is_limit] : {std::pair{1e7, true}, std::pair{1e12, false}}) {
    SetLinkSpeed(link_cache_path_, bytes_per_second);
    const auto report = RunJob(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->compressed, is_limit);
  }
}

TEST_F(JobTest, ALinkThatCarriesMoreThanWasMeasuredIsMeasuredAnew) {
  const MemoryNodes nodes(1);
  JobOptions options = Options(1, nodes.addresses(), "steps");
  options.graph_path = directory_.path() + "/larger";
  std::vector<InputEdge> edges;
  for (size_t i = 0; i < 10 * size_t{kJobEdges}; ++i) edges.push_back(JobEdges()[i % kJobEdges]);
  ASSERT_TRUE(WriteGraph(options.graph_path, kJobVertices, edges, {}).ok());
  std::vector<std::string> lines;
  options.log = [&](absl::string_view line) { lines.emplace_back(line); };
  ASSERT_TRUE(RunJob(options).ok());
  for (const auto& [bytes_per_second, is_disproved] :
       {std::pair{1e12, false}, std::pair{1e5, true}}) {
    SetLinkSpeed(link_cache_path_, bytes_per_second);
    ASSERT_TRUE(RunJob(options).ok());
    nlohmann::json measured;
    std::ifstream(link_cache_path_) >> measured;
    EXPECT_EQ(measured["links"].size(), is_disproved ? 1u : 2u) << "of shm and tcp";
  }
  EXPECT_THAT(lines, Contains(HasSubstr("the next job measures it anew")));
}

TEST_F(JobTest, ABudgetWithoutRoomForTheIndexOfCodesReadsEdges) {
  const MemoryNodes nodes(1);
  JobOptions options = Options(1, nodes.addresses());
  options.graph_path = CompressedGraph();
  options.chunk_bytes = 64 * kKiB;  // whose table takes less than that index
  const double sum = Sum(options);
  SetLinkSpeed(link_cache_path_, 1e7);  // codes are faster
  const auto smallest_budget = [&](std::optional<bool> compressed) {
    options.compressed = compressed;
    return ForecastJob(options)->smallest_budget;
  };
  const uint64_t of_edges = smallest_budget(false);
  const uint64_t of_codes = smallest_budget(true);
  ASSERT_LT(of_edges, of_codes);
  EXPECT_EQ(smallest_budget(std::nullopt), of_edges);
  for (const uint64_t budget : {of_edges, of_codes}) {
    options.local_memory_bytes = budget;
    const auto report = RunJob(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->compressed, budget == of_codes);
    EXPECT_EQ(report->answer["sum"].get<double>(), sum);
  }
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

TEST_F(JobTest, ValuesOutOfRangeAreRefused) {
  const auto refused = [&](auto&& set) {
    JobOptions options = Options(0, {});
    set(options);
    const absl::Status run = RunJob(options).status();
    EXPECT_EQ(run.code(), absl::StatusCode::kInvalidArgument) << run;
    EXPECT_EQ(ForecastJob(options).status(), run);
    return std::string(run.message());
  };
  EXPECT_THAT(refused([](JobOptions& options) { options.far_ratio = 0.5; }),
              HasSubstr("needs memory nodes or SSDs"));
  EXPECT_THAT(refused([](JobOptions& options) { options.far_ratio = 1.5; }),
              HasSubstr("not from 0 to 1"));
  EXPECT_THAT(refused([](JobOptions& options) { options.chunk_bytes = 128; }),
              HasSubstr("not from 4 KiB to 4 MiB"));
  EXPECT_THAT(refused([](JobOptions& options) { options.buffers = 0; }), HasSubstr("buffers"));
  EXPECT_THAT(refused([](JobOptions& options) { options.trials = 0; }), HasSubstr("0 trials"));
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
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with("output")) << entry.path();
}

TEST_F(JobTest, AWrongAnswerIsAborted) {
  JobOptions options = Options(0, {});
  options.verify = true;
  EXPECT_EQ(RunJob(options).status().code(), absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace fargraph
