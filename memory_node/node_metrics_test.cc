#include "memory_node/node_metrics.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;

TEST(NodeMetricsTest, NamesEndInTheirUnitAndCountersInTotal) {
  for (const Metric& metric : NodeMetrics({})) {
    EXPECT_EQ(metric.kind == Metric::Kind::kCounter, metric.name.ends_with("_total"))
        << metric.name;
    EXPECT_TRUE(metric.name.starts_with("fargraph_memory_node_")) << metric.name;
  }
}

TEST(NodeMetricsTest, ClientsAreCountedByTransport) {
  const MemoryNodeStats stats = {.clients = {{.holder = "a", .transport = transport::Kind::kTcp},
                                             {.holder = "b", .transport = transport::Kind::kTcp}}};
  const auto value = [](double v) { return Field(&Metric::Sample::value, v); };
  EXPECT_THAT(NodeMetrics(stats),
              Contains(AllOf(Field(&Metric::name, "fargraph_memory_node_clients"),
                             Field(&Metric::samples, ElementsAre(value(0), value(0), value(2))))));
}

}  // namespace
}  // namespace fargraph
