// PageRank of an edge list, the ordinary way: all edges in one array.
//
//   pagerank EDGES     EDGES: lines "source target", vertices from 0
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "edge_list_graph.h"

constexpr double kDamping = 0.85;
constexpr int kIterations = 20;

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: pagerank EDGES\n"), 2;
  const Graph graph = ReadGraph(argv[1]);
  const size_t vertices = graph.out_degree.size();

  std::vector<double> rank(vertices, 1.0 / vertices), contribution(vertices), sum(vertices);
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
  for (size_t v = 0; v < vertices; ++v) std::printf("%zu %.17g\n", v, rank[v]);
}
