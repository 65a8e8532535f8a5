// A graph of in-edges, as the PageRank examples use it.
#ifndef FARGRAPH_EXAMPLES_EDGE_LIST_GRAPH_H_
#define FARGRAPH_EXAMPLES_EDGE_LIST_GRAPH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

struct Graph {
  std::vector<uint64_t>
      offsets;  // vertices + 1: the in-edges of v are [offsets[v], offsets[v + 1])
  std::vector<uint32_t> sources;     // where each in-edge comes from
  std::vector<uint32_t> out_degree;  // vertices
};

// Ends the program unless the file is as ReadGraph takes it.
inline void Require(bool condition, const char* path, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "cannot read %s: %s\n", path, what);
  std::exit(1);
}

// Of lines "source target", vertices from 0; those that begin with # are skipped.
inline Graph ReadGraph(const char* path) {
  std::ifstream file(path);
  Require(file.is_open(), path, "it cannot be opened");
  std::vector<uint32_t> from, to;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    int64_t source = -1, target = -1;
    fields >> source >> target;
    const bool are_vertices =
        std::min(source, target) >= 0 && std::max(source, target) < UINT32_MAX;
    Require(are_vertices && (fields >> std::ws).eof(), path, "a line is not 'source target'");
    from.push_back(source), to.push_back(target);
  }
  Require(!from.empty(), path, "it has no edges");
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
