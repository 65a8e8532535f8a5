#include "algorithms/verification/neighbors.h"

#include <vector>

#include "common/status_macros.h"

namespace fargraph {

absl::StatusOr<Csr> LoadNeighbors(const GraphFiles& files) {
  FARGRAPH_ASSIGN_OR_RETURN(const Csr out, LoadCsr(files, Direction::kOut));
  const bool both_ways = files.manifest().symmetric;  // as they are stored
  // Calls stand(u, v) for each neighbour v in the list of u.
  const auto for_each_end = [&](auto&& stand) {
    for (VertexId u = 0; u < out.vertices(); ++u) {
      for (const VertexId v : out.neighbors(u)) {
        if (u == v) continue;
        stand(u, v);
        if (!both_ways) stand(v, u);
      }
    }
  };

  Csr neighbors;
  neighbors.offsets = VertexArray<EdgeOffset>(out.vertices() + 1);
  for_each_end([&](VertexId u, VertexId) { ++neighbors.offsets[u + 1]; });
  for (VertexId v = 0; v < out.vertices(); ++v) neighbors.offsets[v + 1] += neighbors.offsets[v];
  neighbors.targets.resize(neighbors.offsets.back());
  std::vector<EdgeOffset> next(neighbors.offsets.begin(), neighbors.offsets.end() - 1);
  for_each_end([&](VertexId u, VertexId v) { neighbors.targets[next[u]++] = v; });
  return neighbors;
}

}  // namespace fargraph
