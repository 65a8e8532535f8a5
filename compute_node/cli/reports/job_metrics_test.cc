#include "compute_node/cli/reports/job_metrics.h"

#include "gtest/gtest.h"

namespace fargraph {
namespace {

double Value(const JobMetrics& metrics, const std::string& name) {
  for (const Metric& metric : metrics.Collect()) {
    if (metric.name == name) return metric.samples.at(0).value;
  }
  ADD_FAILURE() << "no metric " << name;
  return 0;
}

TEST(JobMetricsTest, NamesEndInTheirUnitAndCountersInTotal) {
  for (const Metric& metric : JobMetrics("bfs", "graph").Collect()) {
    EXPECT_EQ(metric.kind == Metric::Kind::kCounter, metric.name.ends_with("_total"))
        << metric.name;
    EXPECT_TRUE(metric.name.starts_with("fargraph_job_")) << metric.name;
  }
}

TEST(JobMetricsTest, ShowsHowFarLoadingIs) {
  JobMetrics metrics("bfs", "graph");
  metrics.ShowLoad(10, 40);
  EXPECT_EQ(Value(metrics, "fargraph_job_loaded_bytes"), 10);
  EXPECT_EQ(Value(metrics, "fargraph_job_load_bytes"), 40);
  EXPECT_EQ(Value(metrics, "fargraph_job_iterations_total"), 0);
}

}  // namespace
}  // namespace fargraph
