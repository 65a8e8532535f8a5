#include "compute_node/open_graph.h"

#include <string>
#include <vector>

#include "common/files/test_directory.h"
#include "common/units.h"
#include "compute_node/io_iterator.h"
#include "compute_node/testing/memory_nodes.h"
#include "compute_node/testing/random_edges.h"
#include "compute_node/testing/ssd_directories.h"
#include "gmock/gmock.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

class OpenGraphTest : public testing::Test {
 protected:
  OpenGraphTest() {
    std::vector<InputEdge> edges;
    for (const auto& [source, target] : edges_) edges.push_back({source, target, 0});
    EXPECT_TRUE(WriteGraph(path_, kRandomVertices, edges, {.reverse = false}).ok());
  }

  JobOptions Options(double far_ratio) const {
    return {.graph_path = path_, .memory_nodes = nodes_.addresses(), .far_ratio = far_ratio};
  }

  /// In several iterations.
  void ExpectAllLists(const JobOptions& options) const {
    const auto opened = OpenGraph(options);
    ASSERT_TRUE(opened.ok()) << opened.status();
    Graph& graph = (*opened)->graph();
    for (int i = 0; i < 3; ++i) {
      ActiveLists active(graph, Direction::kOut, [](VertexId) { return true; });
      NeighborLists lists(kRandomVertices);
#pragma omp parallel
      for (IoIterator it(active); it.has_more();) {
        it.next();
        for (const VertexId v : it.get_neighbors()) lists[it.current()].push_back(v);
      }
      ASSERT_TRUE(active.status().ok()) << active.status();
      EXPECT_EQ(lists, ListsOf(kRandomVertices, edges_, Direction::kOut));
    }
    EXPECT_EQ(graph.stats().bytes_fetched > 0, options.far_ratio > 0);
  }

  const EdgeList edges_ = RandomEdges(1);
  const TestDirectory directory_;
  const std::string path_ = directory_.Path("graph");
  MemoryNodes nodes_{2};
};

TEST_F(OpenGraphTest, GivesTheListsOnMemoryNodes) {
  for (const double far_ratio : {0.0, 0.5, 1.0}) ExpectAllLists(Options(far_ratio));
}

TEST_F(OpenGraphTest, GivesTheListsOnSsds) {
  if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
  const SsdDirectories ssds(2);
  for (const double far_ratio : {0.5, 1.0}) {
    JobOptions options = Options(far_ratio);
    options.memory_nodes.clear();
    options.ssd_directories = ssds.paths();
    ExpectAllLists(options);
  }
}

TEST_F(OpenGraphTest, FindsTheSource) {
  JobOptions options = Options(0);
  EXPECT_EQ((*OpenGraph(options))->source(), std::nullopt);
  options.source = 42;
  EXPECT_EQ((*OpenGraph(options))->source(), 42u);
  options.source = kRandomVertices;
  EXPECT_EQ(OpenGraph(options).status().code(), absl::StatusCode::kOutOfRange);
}

TEST_F(OpenGraphTest, TheStateOfTheProgramCountsTowardsTheBudget) {
  JobOptions options = Options(0);
  options.memory_nodes.clear();
  options.local_memory_bytes = 1 << 20;
  EXPECT_TRUE(OpenGraph(options, {.bytes_per_vertex = 8}).ok());
  const auto refused = OpenGraph(options, {.bytes_per_vertex = 4096}).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted) << refused;
}

TEST_F(OpenGraphTest, RefusesWhatCannotBe) {
  const auto without_lists = OpenGraph(Options(0), {.in_lists = ListUse::kEdges}).status();
  EXPECT_EQ(without_lists.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(without_lists.message()), HasSubstr("in-edges"));
  EXPECT_EQ(OpenGraph(Options(1.5)).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(OpenGraph({.graph_path = path_, .far_ratio = 0.5}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(OpenGraph({.graph_path = path_ + "none"}).status().code(), absl::StatusCode::kNotFound);
  for (const uint64_t bytes : {uint64_t{0}, 5000 * kKiB, uint64_t{4097}}) {
    JobOptions options = Options(1);
    options.chunk_bytes = bytes;
    EXPECT_EQ(OpenGraph(options).status().code(), absl::StatusCode::kInvalidArgument) << bytes;
  }
  for (const uint64_t buffers : {uint64_t{0}, uint64_t{1} << 32}) {
    JobOptions options = Options(1);
    options.buffers = buffers;
    EXPECT_EQ(OpenGraph(options).status().code(), absl::StatusCode::kInvalidArgument) << buffers;
  }
}

TEST_F(OpenGraphTest, RefusesWhatTheProgramDoesItself) {
  const auto refused = [&](auto&& ask) {
    JobOptions options = Options(0);
    ask(options);
    const absl::Status status = OpenGraph(options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(refused([](JobOptions& options) { options.read_trace_path = "trace"; }),
              HasSubstr("a trace of reads"));
  EXPECT_THAT(refused([](JobOptions& options) { options.iteration_log_path = "log"; }),
              HasSubstr("set on_iteration"));
  EXPECT_THAT(refused([](JobOptions& options) { options.output_path = "out"; }),
              HasSubstr("call WriteOutput"));
  EXPECT_THAT(refused([](JobOptions& options) { options.verify = true; }),
              HasSubstr("verifies an answer"));
  EXPECT_THAT(refused([](JobOptions& options) { options.trials = 2; }), HasSubstr("trials"));
}

TEST_F(OpenGraphTest, TellsHowFarLoadingIsAndWhenIterationsEnd) {
  JobOptions options = Options(0.5);
  uint64_t placed = 0;
  options.on_load = [&](uint64_t done, uint64_t total) {
    EXPECT_GT(done, placed);
    EXPECT_EQ(total, edges_.size() * sizeof(VertexId));
    placed = done;
  };
  std::vector<uint64_t> ended;
  options.on_iteration = [&](uint64_t, uint64_t active) { ended.push_back(active); };
  const auto opened = OpenGraph(options);
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(placed, edges_.size() * sizeof(VertexId));
  (*opened)->graph().EndIteration(3);
  EXPECT_THAT(ended, testing::ElementsAre(3));
}

TEST_F(OpenGraphTest, AMemoryNodeThatGoesIsAnErrorOfTheIteration) {
  JobOptions options = Options(1);
  options.transport = transport::Kind::kTcp;
  const auto opened = OpenGraph(options);
  ASSERT_TRUE(opened.ok()) << opened.status();
  nodes_.Stop(0);
  ActiveLists active((*opened)->graph(), Direction::kOut, [](VertexId) { return true; });
#pragma omp parallel
  for (IoIterator it(active); it.has_more();) it.next();
  EXPECT_EQ(active.status().code(), absl::StatusCode::kUnavailable) << active.status();
}

}  // namespace
}  // namespace fargraph
