// The same PageRank with its edges on far memory: pagerank.cc, annotated with the directives of
// compute_node/fargraph.h. docs/directives.md walks through the difference.
//
//   pagerank_far EDGES HOST:PORT [FAR_RATIO]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "compute_node/fargraph.h"
#include "edge_list_graph.h"

constexpr double kDamping = 0.85;
constexpr int kIterations = 20;
constexpr size_t kSources = 0;  // the one segment that may go far

// Moves the edges to their places, most of them to the memory node, and gives the local array back.
absl::StatusOr<std::unique_ptr<fargraph::FarProgram>> MoveEdges(Graph& graph,
                                                                const char* memory_node,
                                                                double far_ratio) {
  const uint64_t bytes = graph.sources.size() * sizeof(uint32_t);
  auto program = fargraph::Add_transferable_flag(
      {{.name = "sources", .bytes = bytes, .sensitivity = fargraph::Sensitivity::kStreamed}},
      {.far_ratio = far_ratio});
  if (!program.ok()) return program.status();
  absl::Status status = fargraph::Build_connection(**program, {memory_node});
  const auto* next = reinterpret_cast<const std::byte*>(graph.sources.data());
  for (uint64_t chunk = 0; status.ok() && chunk < fargraph::Far_chunks(**program, kSources);
       ++chunk) {
    const uint64_t length = fargraph::Far_chunk_bytes(**program, kSources, chunk);
    status = fargraph::Far_write_start(**program, kSources, chunk, {next, length});
    next += length;
  }
  status.Update(fargraph::Far_write_complete(**program, kSources));
  if (!status.ok()) return status;
  graph.sources = {};
  return program;
}

// sum[v] += the contributions of v's in-edges, one chunk of edges after the other; the next is
// under way meanwhile.
absl::Status SumContributions(fargraph::FarProgram& program, const Graph& graph,
                              const std::vector<double>& contribution, std::vector<double>& sum) {
  const uint64_t chunks = fargraph::Far_chunks(program, kSources);
  absl::Status status = fargraph::Far_read_start(program, kSources, 0);
  uint64_t e = 0;
  for (uint64_t chunk = 0, v = 0; status.ok() && chunk < chunks; ++chunk) {
    const auto bytes = fargraph::Far_read_complete(program, kSources, chunk);
    if (!bytes.ok()) return bytes.status();
    if (chunk + 1 < chunks) status = fargraph::Far_read_start(program, kSources, chunk + 1);
    const auto* sources = reinterpret_cast<const uint32_t*>(bytes->data());
    for (uint64_t i = 0; i < bytes->size() / sizeof(uint32_t); ++i, ++e) {
      while (e >= graph.offsets[v + 1]) ++v;
      sum[v] += contribution[sources[i]];
    }
    status.Update(fargraph::Far_release(program, kSources, chunk));
  }
  return status;
}

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "pagerank_far: %s\n", std::string(status.message()).c_str());
  return 1;
}

int main(int argc, char** argv) {
  double far_ratio = 0.8;
  if (argc < 3 || argc > 4 || (argc == 4 && !absl::SimpleAtod(argv[3], &far_ratio)))
    return std::fprintf(stderr, "usage: pagerank_far EDGES HOST:PORT [FAR_RATIO]\n"), 2;
  Graph graph = ReadGraph(argv[1]);
  const size_t vertices = graph.out_degree.size();
  const auto program = MoveEdges(graph, argv[2], far_ratio);
  if (!program.ok()) return Fail(program.status());

  std::vector<double> rank(vertices, 1.0 / vertices), contribution(vertices), sum(vertices);
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    double dangling = 0;
    for (size_t v = 0; v < vertices; ++v) {
      contribution[v] = graph.out_degree[v] ? rank[v] / graph.out_degree[v] : 0;
      dangling += graph.out_degree[v] ? 0 : rank[v];
    }
    std::fill(sum.begin(), sum.end(), 0);
    if (absl::Status status = SumContributions(**program, graph, contribution, sum); !status.ok())
      return Fail(status);
    for (size_t v = 0; v < vertices; ++v) {
      rank[v] = (1 - kDamping) / vertices + kDamping * (sum[v] + dangling / vertices);
    }
  }
  for (size_t v = 0; v < vertices; ++v) std::printf("%zu %.17g\n", v, rank[v]);
}
