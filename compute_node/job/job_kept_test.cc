/// Lists that a job leaves on memory nodes for later ones.

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "common/control/memory_node_client.h"
#include "compute_node/job/job_forecast.h"
#include "compute_node/open_graph.h"
#include "compute_node/testing/job_fixture.h"
#include "compute_node/testing/memory_nodes.h"
#include "graph/format/array_format.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

/// Of what all these nodes hold.
uint64_t AllocatedBytes(const MemoryNodes& nodes) {
  uint64_t bytes = 0;
  for (const std::string& address : nodes.addresses()) {
    bytes += (*(*MemoryNodeClient::Connect(address))->Stats()).allocated_bytes;
  }
  return bytes;
}

TEST_F(JobTest, AttachesToWhatIsKeptAndLeavesNothingElse) {
  const MemoryNodes nodes(3);
  JobOptions options = Options(0.8, nodes.addresses());
  const double sum = Sum(options);
  EXPECT_EQ(AllocatedBytes(nodes), 0u);

  options.keep = true;
  auto report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->attached);
  const uint64_t kept = AllocatedBytes(nodes);
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
    EXPECT_EQ(AllocatedBytes(nodes), kept);
  }
}

TEST_F(JobTest, KeepsWhatAnotherWouldNotHaveLeft) {
  const MemoryNodes nodes(2);
  JobOptions options = Options(1, nodes.addresses());
  auto other = OpenGraph(options, {.in_lists = ListUse::kEdges});
  ASSERT_TRUE(other.ok()) << other.status();
  options.keep = true;
  const auto report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->attached);
  other->reset();
  EXPECT_GT(AllocatedBytes(nodes), 0u);
}

TEST_F(JobTest, OfListsThatHaveNoRoomAsAWholeTheFarPartIsKept) {
  const MemoryNodes nodes(1, kJobListBytes);  // segments take a little more
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

/// Jobs with all lists far on two nodes, one of which is restarted after the first.
class JobAfterRestart : public JobTest {
 protected:
  /// Room on each node for the lists of one job, and not for those of one direction more.
  uint64_t RoomForOne() const {
    const MemoryNodes nodes(2);
    JobOptions options = Options(1, nodes.addresses());
    options.keep = true;
    EXPECT_TRUE(RunJob(options).ok());
    return AllocatedBytes(nodes) / 2 * 5 / 4;
  }
  /// The options of a job that keeps what it uploads, after one on these nodes that did.
  JobOptions RestartAfterJob(MemoryNodes& nodes, size_t restarted) const {
    JobOptions options = Options(1, nodes.addresses());
    options.keep = true;
    EXPECT_TRUE(RunJob(options).ok());
    nodes.Restart(restarted);
    options = Options(1, nodes.addresses());
    options.keep = true;
    return options;
  }
};

TEST_F(JobAfterRestart, WhatANodeThatWentAwayHasLeftOfAnUploadMakesRoom) {
  MemoryNodes nodes(2, RoomForOne());
  const JobOptions options = RestartAfterJob(nodes, 1);
  for (const bool attached : {false, true}) {
    const auto report = RunJob(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->attached, attached);
  }
}

TEST_F(JobAfterRestart, WhatAJobHoldsOfAnUploadStays) {
  MemoryNodes nodes(2, RoomForOne());
  const JobOptions options = Options(1, nodes.addresses());
  const auto other = OpenGraph(options, {.in_lists = ListUse::kEdges});
  ASSERT_TRUE(other.ok()) << other.status();
  nodes.Restart(1);
  EXPECT_EQ(RunJob(Options(1, nodes.addresses())).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(JobAfterRestart, AnUploadIsFoundThoughAPartOfItIsThereTwice) {
  MemoryNodes nodes(2);
  JobOptions options = RestartAfterJob(nodes, 1);
  std::swap(options.memory_nodes[0], options.memory_nodes[1]);
  for (const bool attached : {false, true}) {
    const auto report = RunJob(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->attached, attached);
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

TEST_F(JobTest, JobsWithAndWithoutWeightsShareTheEdges) {
  const MemoryNodes nodes(1, kMostOnSmallPages);
  JobOptions options = Options(1, nodes.addresses());
  options.keep = true;
  ASSERT_TRUE(RunJob(options).ok());
  const uint64_t edges = AllocatedBytes(nodes);

  options.algorithm = "weighted-mix";
  auto report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->attached);
  EXPECT_EQ(AllocatedBytes(nodes),
            edges + edges * WeightBytes(WeightType::kUint8) / sizeof(VertexId));

  report = RunJob(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->attached);
}

}  // namespace
}  // namespace fargraph
