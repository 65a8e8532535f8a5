#include "algorithms/testing/kernel_testing.h"

#include <unistd.h>

#include <atomic>
#include <bit>
#include <filesystem>
#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "graph/format/manifest.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

std::string NewPath() {
  static std::atomic<int> count = 0;
  return absl::StrCat(testing::TempDir(), "fargraph_kernels_", getpid(), "_", ++count);
}

}  // namespace

GraphCase RandomCase(unsigned seed, VertexId vertices, int edges, bool symmetric) {
  std::mt19937 random(seed);
  const auto draw = [&] {
    return VertexId(random() % 5 == 0 ? random() % 3 : random() % vertices);
  };
  GraphCase graph{absl::StrCat(symmetric ? "symmetric" : "directed", seed), vertices, {}};
  for (int i = 0; i < edges; ++i) {
    const VertexId source = draw(), target = draw();
    if (source % 10 == 9 || target % 10 == 9) continue;
    graph.edges.emplace_back(source, target);
    if (symmetric && source != target) graph.edges.emplace_back(target, source);
  }
  return graph;
}

GraphCase WithRandomWeights(GraphCase graph, WeightType weight_type) {
  std::mt19937 random(graph.edges.size());
  absl::StrAppend(&graph.name, ", ", WeightTypeName(weight_type), " weights");
  graph.weight_type = weight_type;
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const uint32_t whole = random() % 21;
    graph.weight_bits.push_back(
        weight_type == WeightType::kFloat32 ? std::bit_cast<uint32_t>(whole * 0.7f) : whole);
  }
  return graph;
}

EdgeList Chain(VertexId vertices) {
  EdgeList edges;
  for (VertexId v = 0; v + 1 < vertices; ++v) edges.emplace_back(v, v + 1);
  return edges;
}

EdgeList Star(VertexId vertices, bool outwards) {
  EdgeList edges;
  for (VertexId v = 1; v < vertices; ++v) edges.emplace_back(outwards ? 0 : v, outwards ? v : 0);
  return edges;
}

std::vector<GraphCase> SpecialCases() {
  EdgeList backward_chain = Chain(100);
  for (auto& [source, target] : backward_chain) std::swap(source, target);
  EdgeList zigzag;  // components that meet late, from both ends
  for (VertexId v = 0; v < 50; ++v) {
    zigzag.emplace_back(v, 99 - v);
    zigzag.emplace_back(99 - v, (v + 1) % 50);
  }
  return {
      {"one vertex", 1, {}},
      {"one vertex, with a self-loop", 1, {{0, 0}}},
      {"isolated vertices", 130, {}},
      {"self-loops", 5, {{0, 0}, {1, 1}, {1, 2}, {2, 2}, {4, 4}}},
      {"duplicates", 4, {{0, 1}, {0, 1}, {0, 1}, {1, 2}, {1, 2}, {0, 2}}},
      {"chain", 100, Chain(100)},
      {"backward chain", 100, backward_chain},
      {"zigzag", 100, zigzag},
      {"outward star", 200, Star(200, true)},
      {"inward star", 200, Star(200, false)},
      {"two triangles", 7, {{0, 2}, {2, 4}, {4, 0}, {1, 3}, {3, 5}, {5, 1}}},
  };
}

std::vector<GraphCase> AllCases() {
  std::vector<GraphCase> cases = SpecialCases();
  for (unsigned seed = 1; seed <= 3; ++seed) {
    cases.push_back(RandomCase(seed, 400, 2000, /*symmetric=*/false));
    cases.push_back(RandomCase(seed, 200, 250, /*symmetric=*/true));
  }
  const GraphCase graph = RandomCase(4, 300, 1500, /*symmetric=*/false);
  for (const WeightType type : {WeightType::kInt32, WeightType::kFloat32, WeightType::kUint8}) {
    cases.push_back(WithRandomWeights(graph, type));
  }
  return cases;
}

std::vector<TestGraphOptions> Placements() {
  return {{.far_ratio = 0},
          {.far_ratio = 0, .heads = 3},
          {.far_ratio = 0.5},
          {.far_ratio = 0.8, .slots = 1},
          {.far_ratio = 0.8, .cache_slots = 3},
          {.far_ratio = 1},
          {.far_ratio = 1,
           .heads = 2,
           .far_state = {"next_contribution", "rank", "y", "score", "levels"}},
          {.far_ratio = 0.9, .block_bytes = 512}};
}

const Kernel& KernelNamed(absl::string_view name) { return **FindKernel(name); }

absl::StatusOr<KernelResult> RunKernel(absl::string_view name, const GraphCase& graph,
                                       TestGraphOptions placement, const KernelOptions& options) {
  placement.weight_type = graph.weight_type;
  placement.weight_bits = graph.weight_bits;
  TestGraph test_graph(graph.vertices, graph.edges, placement);
  auto result = KernelNamed(name).Run(test_graph.graph(), options);
  if (!result.ok()) return result;
  const absl::Status summarized = KernelNamed(name).Summarize(test_graph.graph(), *result);
  return summarized.ok() ? result : summarized;
}

StoredGraph::StoredGraph(const GraphCase& graph, bool reverse) : path_(NewPath()) {
  std::vector<InputEdge> edges;
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const uint32_t weight_bits = graph.weight_bits.empty() ? 0 : graph.weight_bits[i];
    edges.push_back({graph.edges[i].first, graph.edges[i].second, weight_bits});
  }
  const WriteGraphOptions options = {.reverse = reverse, .weight_type = graph.weight_type};
  EXPECT_TRUE(WriteGraph(path_, graph.vertices, edges, options).ok());
  files_ = std::make_unique<GraphFiles>(*GraphFiles::Open(path_));
}

StoredGraph::~StoredGraph() { std::filesystem::remove_all(path_); }

absl::Status StoredGraph::Verify(absl::string_view kernel, const KernelResult& result,
                                 const KernelOptions& options) const {
  return KernelNamed(kernel).Verify(*files_, options, result);
}

VerifierTest::VerifierTest(absl::string_view kernel, GraphCase graph, const KernelOptions& options)
    : kernel_(kernel), graph_(std::move(graph)), options_(options) {}

void VerifierTest::ExpectRejected(absl::string_view why) const { ExpectRejected(why, options_); }

void VerifierTest::ExpectRejected(absl::string_view why, const KernelOptions& options) const {
  const absl::Status verified = stored_.Verify(kernel_, result_, options);
  EXPECT_TRUE(absl::IsAborted(verified)) << verified;
  EXPECT_TRUE(absl::StrContains(verified.message(), why)) << verified;
}

std::vector<int32_t> RelaxedDistances(const GraphCase& graph, VertexId source) {
  std::vector<int32_t> distances(graph.vertices, -1);
  distances[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [u, v] : graph.edges) {
      if (distances[u] < 0 || (distances[v] >= 0 && distances[v] <= distances[u] + 1)) continue;
      distances[v] = distances[u] + 1;
      changed = true;
    }
  }
  return distances;
}

}  // namespace fargraph
