// A graph of in-edges, as the PageRank examples use it.
#ifndef FARGRAPH_EXAMPLES_EDGE_LIST_GRAPH_H_
#define FARGRAPH_EXAMPLES_EDGE_LIST_GRAPH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <vector>

struct Graph {
  std::vector<uint64_t>
      offsets;  // vertices + 1: the in-edges of v are [offsets[v], offsets[v + 1])
  std::vector<uint32_t> sources;     // where each in-edge comes from
  std::vector<uint32_t> out_degree;  // vertices
};

// Of lines "source target", vertices from 0.
inline Graph ReadGraph(const char* path) {
  std::ifstream file(path);
  std::vector<uint32_t> from, to;
  for (uint32_t source, target; file >> source >> target;)
    from.push_back(source), to.push_back(target);
  uint32_t vertices = 0;
  for (size_t e = 0; e < from.size(); ++e) vertices = std::max({vertices, from[e] + 1, to[e] + 1});

  Graph graph{std::vector<uint64_t>(vertices + 1), std::vector<uint32_t>(from.size()),
              std::vector<uint32_t>(vertices)};
  for (size_t e = 0; e < from.size(); ++e) ++graph.offsets[to[e] + 1], ++graph.out_degree[from[e]];
  std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
  std::vector<uint64_t> next(graph.offsets);
  for (size_t e = 0; e < from.size(); ++e) graph.sources[next[to[e]]++] = from[e];
  return graph;
}

#endif  // FARGRAPH_EXAMPLES_EDGE_LIST_GRAPH_H_
