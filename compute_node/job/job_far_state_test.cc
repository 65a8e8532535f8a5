/// Jobs within less memory than their vertex state takes.

#include <omp.h>

#include <string>
#include <tuple>
#include <vector>

#include "compute_node/engine/sequential_array.h"
#include "compute_node/job/job_forecast.h"
#include "compute_node/testing/job_fixture.h"
#include "compute_node/testing/memory_nodes.h"
#include "compute_node/testing/mix_kernels.h"
#include "compute_node/testing/shared_files.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

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

}  // namespace
}  // namespace fargraph
