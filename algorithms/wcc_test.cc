#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "graph/test_names.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The smallest label spreads along every edge in both senses until nothing changes.
std::vector<VertexId> SpreadLabels(const GraphCase& graph) {
  std::vector<VertexId> labels(graph.vertices);
  std::iota(labels.begin(), labels.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [u, v] : graph.edges) {
      const VertexId smaller = std::min(labels[u], labels[v]);
      changed |= labels[u] != labels[v];
      labels[u] = labels[v] = smaller;
    }
  }
  return labels;
}

TEST(Wcc, LabelsVerticesWithTheSmallestOfTheirComponent) {
  for (const GraphCase& graph : AllCases()) {
    const std::vector<VertexId> labels = SpreadLabels(graph);
    std::vector<uint64_t> sizes(graph.vertices);
    for (const VertexId label : labels) ++sizes[label];
    for (const TestGraphOptions& placement : Placements()) {
      SCOPED_TRACE(absl::StrCat(graph.name, ", ", placement.far_ratio, " far"));
      const auto result = RunKernel("wcc", graph, placement);
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(Values<VertexId>(*result), labels);
      EXPECT_EQ(result->answer["components"],
                graph.vertices - std::count(sizes.begin(), sizes.end(), 0));
      EXPECT_EQ(result->answer["largest"], *std::max_element(sizes.begin(), sizes.end()));
    }
  }
}

TEST(Wcc, JoinsManyTreesAtOnce) {
  // Edges in an order without locality: every thread hooks roots that others hook as well.
  constexpr VertexId kVertices = 20000;
  std::mt19937 random(3);
  std::vector<VertexId> order(kVertices);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  GraphCase graph{"", kVertices, {}};
  for (VertexId i = 0; i + 2 < kVertices; ++i) graph.edges.emplace_back(order[i], order[i + 2]);
  std::vector<VertexId> labels(kVertices);
  for (const VertexId first : {0, 1}) {
    VertexId smallest = order[first];
    for (VertexId i = first; i < kVertices; i += 2) smallest = std::min(smallest, order[i]);
    for (VertexId i = first; i < kVertices; i += 2) labels[order[i]] = smallest;
  }
  const ThreadCount count(8);
  for (int run = 0; run < 5; ++run) {
    const auto result = RunKernel("wcc", graph);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->answer["components"], 2);
    EXPECT_EQ(Values<VertexId>(*result), labels);
  }
}

/// So many edges between any vertices, every one in both senses if `symmetric`.
GraphCase UniformCase(VertexId vertices, size_t edges, bool symmetric) {
  std::mt19937 random(9);
  GraphCase graph{"", vertices, {}};
  while (graph.edges.size() < edges) {
    const VertexId source = random() % vertices, target = random() % vertices;
    graph.edges.emplace_back(source, target);
    if (symmetric) graph.edges.emplace_back(target, source);
  }
  return graph;
}

TEST(Wcc, ReadsFewListsWhereOneComponentIsLarge) {
  constexpr VertexId kVertices = 20000;
  for (const bool symmetric : {true, false}) {
    for (const size_t heads : {0, 1, 2}) {
      SCOPED_TRACE(absl::StrCat(symmetric, ", ", heads, " heads"));
      const GraphCase graph = RandomCase(6, kVertices, 32 * kVertices, symmetric);
      TestGraph placed(graph.vertices, graph.edges, {.far_ratio = 1, .heads = heads});
      ASSERT_TRUE(KernelNamed("wcc").Run(placed.graph(), {}).ok());
      const size_t stored = (symmetric ? 1 : 2) * graph.edges.size() * sizeof(VertexId);
      EXPECT_LT(placed.graph().stats().bytes_useful, stored / (heads == 0 ? 3 : 10));
    }
  }
}

TEST(Wcc, LeavesFewLoneListsWhereTheyAreDear) {
  constexpr VertexId kVertices = 20000;
  const GraphCase graph = UniformCase(kVertices, 32 * kVertices, /*symmetric=*/true);
  std::vector<uint64_t> bytes;
  for (const uint64_t block_bytes : {1, 64}) {  // a memory node, an SSD
    TestGraph placed(graph.vertices, graph.edges, {.far_ratio = 1, .block_bytes = block_bytes});
    ASSERT_TRUE(KernelNamed("wcc").Run(placed.graph(), {}).ok());
    EXPECT_EQ(placed.graph().iterations(), 2) << "a sample and the rest";
    bytes.push_back(placed.graph().stats().bytes_useful);
  }
  const double stored = static_cast<double>(graph.edges.size() * sizeof(VertexId));
  EXPECT_NEAR(static_cast<double>(bytes[0]) / stored, 1 / 10.0 + std::exp(-32 / 10.0), 0.03);
  EXPECT_NEAR(static_cast<double>(bytes[1]) / stored, 1 / 5.0, 0.03);
}

TEST(Wcc, WalksAllListsInOneScanWhereASampleHasTooFew) {
  constexpr VertexId kVertices = 20000;
  const GraphCase graph = RandomCase(7, kVertices, 2 * kVertices, /*symmetric=*/true);
  TestGraph placed(graph.vertices, graph.edges, {.far_ratio = 1});
  ASSERT_TRUE(KernelNamed("wcc").Run(placed.graph(), {}).ok());
  EXPECT_EQ(placed.graph().far_scans(), 1);
  EXPECT_EQ(placed.graph().stats().bytes_useful, graph.edges.size() * sizeof(VertexId));
}

TEST(Wcc, VerticesWithoutEdgesMakeTheLargestComponentNoSmaller) {
  constexpr VertexId kVertices = 20000;
  GraphCase graph = RandomCase(6, kVertices, 32 * kVertices, /*symmetric=*/true);
  graph.vertices *= 3;
  TestGraph placed(graph.vertices, graph.edges, {.far_ratio = 1, .heads = 2});
  ASSERT_TRUE(KernelNamed("wcc").Run(placed.graph(), {}).ok());
  EXPECT_EQ(placed.graph().far_scans(), 1) << "no sample, which is one more";
  EXPECT_LT(placed.graph().stats().bytes_useful, graph.edges.size() * sizeof(VertexId) / 100);
}

TEST(Wcc, ReadsNoInListOfAVertexThatItsOutListJoins) {
  constexpr VertexId kOutside = 8000, kVertices = 20000;
  GraphCase graph{"", kVertices, {}};
  for (VertexId v = 0; v < kOutside; ++v) {
    graph.edges.emplace_back(v, v);  // the head
    graph.edges.emplace_back(v, v + kOutside);
  }
  for (VertexId v = kOutside; v + 1 < kVertices; ++v) graph.edges.emplace_back(v, v + 1);
  TestGraph placed(graph.vertices, graph.edges, {.far_ratio = 1, .heads = 1});
  ASSERT_TRUE(KernelNamed("wcc").Run(placed.graph(), {}).ok());
  EXPECT_EQ(placed.graph().stats().bytes_useful, kOutside * sizeof(VertexId));
}

TEST(Wcc, ItsEffortIsWhatItReads) {
  constexpr VertexId kVertices = 20000;
  for (const bool symmetric : {true, false}) {
    for (const size_t degree : {8, 32}) {
      for (const size_t heads : {0, 2}) {
        SCOPED_TRACE(absl::StrCat(symmetric, ", ", degree, " edges, ", heads, " heads"));
        const GraphCase graph = UniformCase(kVertices, degree * kVertices, symmetric);
        TestGraph placed(graph.vertices, graph.edges, {.far_ratio = 1, .heads = heads});
        const Kernel& wcc = KernelNamed("wcc");
        ASSERT_TRUE(wcc.Run(placed.graph(), {}).ok());
        const size_t stored = (symmetric ? 1 : 2) * graph.edges.size() * sizeof(VertexId);
        const double read = static_cast<double>(placed.graph().stats().bytes_useful) / stored;
        const Effort effort = wcc.EffortOn({.vertices = graph.vertices,
                                            .edges = graph.edges.size(),
                                            .symmetric = symmetric,
                                            .has_reverse = !symmetric},
                                           {}, {.have_heads = heads > 0});
        EXPECT_NEAR(effort.list_reads, read, 0.03);
      }
    }
  }
}

TEST(Wcc, ReadsNoListTwiceWhereNoComponentIsLarge) {
  constexpr VertexId kVertices = 20000;
  GraphCase pairs{"", kVertices, {}};
  for (VertexId v = 0; v < kVertices; v += 2) pairs.edges.emplace_back(v, v + 1);
  TestGraph placed(pairs.vertices, pairs.edges, {.far_ratio = 1});
  ASSERT_TRUE(KernelNamed("wcc").Run(placed.graph(), {}).ok());
  EXPECT_EQ(placed.graph().stats().bytes_useful, pairs.edges.size() * sizeof(VertexId));
}

TEST(Wcc, AnswersInTheWordsOfTheCommandLine) {
  const auto result = RunKernel("wcc", {"", 6, {{5, 2}, {4, 1}, {3, 1}}});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->answer.dump(), R"({"components":3,"largest":3,"largest_id":1})");
  EXPECT_EQ(result->columns[0].name, "component");
  EXPECT_THAT(Values<VertexId>(*result), ElementsAre(0, 1, 2, 1, 1, 2));
}

TEST(Wcc, LabelsRenumberedVerticesWithTheSmallestIdOfTheirComponent) {
  for (const GraphCase& graph : AllCases()) {
    std::vector<uint64_t> ids(graph.vertices);
    std::iota(ids.begin(), ids.end(), 100);
    std::shuffle(ids.begin(), ids.end(), std::mt19937(5));
    const TestNames test(ids);
    const auto result = RunKernel("wcc", graph, {.names = test.names()});
    ASSERT_TRUE(result.ok()) << result.status();

    // By the components' smallest vertices, which a graph without other names has as labels.
    const std::vector<VertexId> smallest_vertices = SpreadLabels(graph);
    std::vector<uint64_t> smallest_ids(graph.vertices, ~uint64_t{0});
    for (VertexId v = 0; v < graph.vertices; ++v) {
      uint64_t& id = smallest_ids[smallest_vertices[v]];
      id = std::min(id, ids[v]);
    }
    const std::vector<VertexId> labels = Values<VertexId>(*result);
    for (VertexId v = 0; v < graph.vertices; ++v) {
      EXPECT_EQ(ids[labels[v]], smallest_ids[smallest_vertices[v]]) << graph.name << " " << v;
    }
  }
}

TEST(Wcc, AGraphWithoutVerticesHasNoComponents) {
  const auto result = RunKernel("wcc", {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer.dump(), R"({"components":0,"largest":0})");
  const StoredGraph stored({});
  EXPECT_TRUE(stored.Verify("wcc", *result).ok());
}

class WccVerifier : public VerifierTest {
 protected:
  WccVerifier() : VerifierTest("wcc", GraphCase{"", 6, {{1, 0}, {2, 1}, {4, 3}, {4, 5}}}) {}
};

TEST_F(WccVerifier, RejectsASplitComponent) {
  SetValues<VertexId>(result_, {0, 0, 2, 3, 3, 3});
  ExpectRejected("vertex 2 has component 2, where the verifier finds 0");
}

TEST_F(WccVerifier, RejectsMergedComponents) {
  SetValues<VertexId>(result_, {0, 0, 0, 0, 0, 0});
  ExpectRejected("vertex 3 has component 0, where the verifier finds 3");
}

TEST_F(WccVerifier, RejectsALabelThatIsNotTheSmallest) {
  SetValues<VertexId>(result_, {0, 0, 0, 4, 4, 4});
  ExpectRejected("vertex 3 has component 4");
}

}  // namespace
}  // namespace fargraph
