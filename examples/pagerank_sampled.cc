// The same PageRank, which asks what it does with its arrays: pagerank.cc, whose run is sampled.
// The groups go to standard error, the ranks to standard output. docs/directives.md says more.
//
//   pagerank_sampled EDGES
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "compute_node/fargraph.h"
#include "edge_list_graph.h"

constexpr double kDamping = 0.85;
constexpr int kIterations = 20;

// A segment of which nothing is declared.
template <typename T>
fargraph::TransferableSegment Undeclared(const char* name, const std::vector<T>& array) {
  return {.name = name, .bytes = array.size() * sizeof(T), .array = array.data()};
}

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: pagerank_sampled EDGES\n"), 2;
  const Graph graph = ReadGraph(argv[1]);
  const size_t vertices = graph.out_degree.size();

  std::vector<double> rank(vertices, 1.0 / vertices), contribution(vertices), sum(vertices);
  const auto program = fargraph::Add_transferable_flag(
      {Undeclared("offsets", graph.offsets), Undeclared("sources", graph.sources),
       Undeclared("out_degree", graph.out_degree), Undeclared("rank", rank),
       Undeclared("contribution", contribution), Undeclared("sum", sum)});
  if (!program.ok()) {
    std::fprintf(stderr, "pagerank_sampled: %s\n", program.status().ToString().c_str());
    return 1;
  }

  for (int iteration = 0; iteration < kIterations; ++iteration) {
    double dangling = 0;
    for (size_t v = 0; v < vertices; ++v) {
      contribution[v] = graph.out_degree[v] ? rank[v] / graph.out_degree[v] : 0;
      dangling += graph.out_degree[v] ? 0 : rank[v];
    }
    std::fill(sum.begin(), sum.end(), 0);
    for (size_t v = 0; v < vertices; ++v) {
      for (uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
        sum[v] += contribution[graph.sources[e]];
    }
    for (size_t v = 0; v < vertices; ++v) {
      rank[v] = (1 - kDamping) / vertices + kDamping * (sum[v] + dangling / vertices);
    }
  }
  fargraph::Far_sample_complete(**program).IgnoreError();  // which only Build_connection would need
  std::fputs(fargraph::Far_explain(**program).c_str(), stderr);
  for (size_t v = 0; v < vertices; ++v) std::printf("%zu %.17g\n", v, rank[v]);
}
