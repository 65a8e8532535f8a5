#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "absl/algorithm/container.h"
#include "algorithms/testing/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// True if every edge is there both ways, equally often.
bool IsSymmetric(EdgeList edges) {
  EdgeList reversed;
  for (const auto& [source, target] : edges) reversed.emplace_back(target, source);
  std::sort(edges.begin(), edges.end());
  std::sort(reversed.begin(), reversed.end());
  return edges == reversed;
}

/// The edges of a symmetric graph stand at both their ends already.
EdgeList OneWay(const GraphCase& graph) {
  EdgeList edges = graph.edges;
  if (IsSymmetric(edges))
    std::erase_if(edges, [](const auto& edge) { return edge.first > edge.second; });
  return edges;
}

/// By the definition: for each k takes away vertices with less than k neighbours until none is left
/// that has; the others are in the k-core.
std::vector<int32_t> CoresByDefinition(const GraphCase& graph) {
  std::vector<std::vector<VertexId>> neighbors(graph.vertices);
  for (const auto& [u, v] : OneWay(graph)) {
    if (u == v) continue;
    neighbors[u].push_back(v);
    neighbors[v].push_back(u);
  }
  std::vector<int32_t> cores(graph.vertices), degrees(graph.vertices);
  std::vector<VertexId> left(graph.vertices);
  std::iota(left.begin(), left.end(), 0);
  for (const VertexId v : left) degrees[v] = static_cast<int32_t>(neighbors[v].size());
  for (int32_t k = 1; !left.empty(); ++k) {
    std::vector<VertexId> removed;
    absl::c_copy_if(left, std::back_inserter(removed), [&](VertexId v) { return degrees[v] < k; });
    while (!removed.empty()) {
      const VertexId v = removed.back();
      removed.pop_back();
      for (const VertexId u : neighbors[v]) {
        if (--degrees[u] == k - 1) removed.push_back(u);
      }
    }
    std::erase_if(left, [&](VertexId v) { return degrees[v] < k; });
    for (const VertexId v : left) cores[v] = k;
  }
  return cores;
}

/// Every pair of vertices in [0, vertices), one way each.
EdgeList Clique(VertexId vertices) {
  EdgeList edges;
  for (VertexId u = 0; u < vertices; ++u) {
    for (VertexId v = 0; v < u; ++v) edges.emplace_back(u, v);
  }
  return edges;
}

TEST(KCore, FindsTheCoresOfTheDefinition) {
  std::vector<GraphCase> cases = AllCases();
  cases.push_back({"clique", 40, Clique(40)});
  for (const GraphCase& graph : cases) {
    const std::vector<int32_t> cores = CoresByDefinition(graph);
    for (const TestGraphOptions& placement : Placements()) {
      SCOPED_TRACE(absl::StrCat(graph.name, ", ", placement.far_ratio, " far"));
      const auto result = RunKernel("kcore", graph, placement);
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(Values<int32_t>(*result), cores);
      EXPECT_EQ(result->answer["max_core"], *std::max_element(cores.begin(), cores.end()));
    }
  }
}

TEST(KCore, PeelsManyVerticesAtOnce) {
  const ThreadCount count(8);
  for (const bool symmetric : {false, true}) {
    const GraphCase graph = RandomCase(21, 20000, 100000, symmetric);
    const std::vector<int32_t> cores = CoresByDefinition(graph);
    for (int run = 0; run < 5; ++run) {
      const auto result = RunKernel("kcore", graph, {.far_ratio = 0.5, .chunk_bytes = 4096});
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(Values<int32_t>(*result), cores);
    }
  }
}

/// Nearly every vertex has another number of neighbours. The half with most are a clique, and lose
/// one of the others at each level.
EdgeList PairsThatAddUpToLess(VertexId than) {
  EdgeList edges;
  for (VertexId u = 0; u < than; ++u) {
    for (VertexId v = 0; v < u && u + v < than; ++v) edges.emplace_back(u, v);
  }
  return edges;
}

/// So many cliques of 16 vertices, of which each has two neighbours more: one with no others, and
/// one that it shares with 99 of them.
GraphCase CliquesWithinStars(VertexId cliques) {
  const VertexId members = 16 * cliques;
  GraphCase graph{"cliques within stars", 2 * members + members / 100 + 1, {}};
  for (VertexId v = 0; v < members; ++v) {
    for (VertexId u = v / 16 * 16; u < v; ++u) graph.edges.emplace_back(u, v);
    graph.edges.emplace_back(v, members + v);
    graph.edges.emplace_back(v, 2 * members + v / 100);
  }
  return graph;
}

TEST(KCore, FindsWhoComesNearAtLaterLevels) {
  const std::vector<GraphCase> cases = {
      {"few of few", 20000, PairsThatAddUpToLess(200)},
      CliquesWithinStars(270),                            // more than a thread lists
      RandomCase(23, 2000, 30000, /*symmetric=*/false)};  // some of many
  const ThreadCount count(1);
  for (const GraphCase& graph : cases) {
    const auto result = RunKernel("kcore", graph);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(Values<int32_t>(*result), CoresByDefinition(graph)) << graph.name;
  }
}

TEST(KCore, AnswersInTheWordsOfTheCommandLine) {
  GraphCase graph{"clique with a tail", 8, Clique(5)};
  graph.edges.emplace_back(4, 5);
  graph.edges.emplace_back(5, 6);
  const auto result = RunKernel("kcore", graph);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer.dump(), R"({"max_core":4,"core_histogram":[1,2,0,0,5]})");
  EXPECT_EQ(result->columns[0].name, "core");
  EXPECT_THAT(Values<int32_t>(*result), ElementsAre(4, 4, 4, 4, 4, 1, 1, 0));
}

TEST(KCore, CountsEdgesAsOftenAsTheyAreThereAndNoSelfLoops) {
  const auto result =
      RunKernel("kcore", {"", 6, {{0, 1}, {1, 0}, {2, 3}, {2, 3}, {2, 3}, {4, 4}, {5, 5}, {4, 5}}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(Values<int32_t>(*result), ElementsAre(2, 2, 3, 3, 1, 1));
}

TEST(KCore, AGraphWithoutVerticesHasNoCores) {
  const auto result = RunKernel("kcore", {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->answer.dump(), R"({"max_core":0,"core_histogram":[]})");
  const StoredGraph stored({});
  EXPECT_TRUE(stored.Verify("kcore", *result).ok());
}

TEST(KCore, ReadsFarListsInFewerPartsWhereThoseOfHubsAreAtHand) {
  const auto parts = [](double far_ratio) {
    const ListTraits lists = {.far_ratio = far_ratio, .kind = GraphKind::kHubs};
    return KernelNamed("kcore").EffortOn({.vertices = 10, .edges = 50}, {}, lists).parts;
  };
  EXPECT_LT(parts(0.95), parts(1) / 2);
}

class KCoreVerifier : public VerifierTest {
 protected:
  KCoreVerifier() : VerifierTest("kcore", GraphCase{"", 5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}}) {}
};

TEST_F(KCoreVerifier, RejectsACoreThatIsTooLarge) {
  SetValues<int32_t>(result_, {2, 2, 2, 2, 0});
  ExpectRejected("vertex 3 has core 2, where the verifier finds 1");
}

TEST_F(KCoreVerifier, RejectsACoreThatIsTooSmall) {
  SetValues<int32_t>(result_, {2, 1, 2, 1, 0});
  ExpectRejected("vertex 1 has core 1, where the verifier finds 2");
}

TEST_F(KCoreVerifier, RejectsAnotherHistogram) {
  result_.answer["core_histogram"] = {1, 2, 2};
  ExpectRejected("core_histogram is [1,2,2], where the verifier finds [1,1,3]");
}

}  // namespace
}  // namespace fargraph
