#include "algorithms/verification/triangles_verifier.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "algorithms/verification/verification.h"
#include "common/status_macros.h"
#include "graph/csr.h"

namespace fargraph {
namespace {

using Adjacency = std::vector<std::vector<VertexId>>;

/// The neighbours of every vertex, ascending, whichever way edges point, each once.
Adjacency SimpleUndirected(const Csr& graph) {
  Adjacency neighbors(graph.vertices());
  for (VertexId u = 0; u < graph.vertices(); ++u) {
    for (const VertexId v : graph.neighbors(u)) {
      if (u == v) continue;
      neighbors[u].push_back(v);
      neighbors[v].push_back(u);
    }
  }
  for (auto& list : neighbors) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbors;
}

/// Of each list the neighbours with more neighbours than the vertex has; larger vertices of equals.
Adjacency WithMoreNeighbors(const Adjacency& neighbors) {
  Adjacency kept(neighbors.size());
  for (VertexId u = 0; u < neighbors.size(); ++u) {
    for (const VertexId v : neighbors[u]) {
      if (std::pair(neighbors[v].size(), v) > std::pair(neighbors[u].size(), u))
        kept[u].push_back(v);
    }
  }
  return kept;
}

}  // namespace

absl::Status VerifyTriangles(const GraphFiles& files, const KernelResult& result) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr graph, LoadCsr(files, Direction::kOut));
  const Adjacency upward = WithMoreNeighbors(SimpleUndirected(graph));
  uint64_t triangles = 0;
  std::vector<VertexId> common;
  for (const auto& of_u : upward) {
    for (const VertexId v : of_u) {
      common.clear();
      std::set_intersection(of_u.begin(), of_u.end(), upward[v].begin(), upward[v].end(),
                            std::back_inserter(common));
      triangles += common.size();
    }
  }
  return CheckAnswer(result, "triangles", triangles);
}

}  // namespace fargraph
