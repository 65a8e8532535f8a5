#ifndef FARGRAPH_GRAPH_CSR_H_
#define FARGRAPH_GRAPH_CSR_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/graph_files.h"
#include "graph/ids.h"

namespace fargraph {

/// The adjacency lists of one direction in memory, compressed sparse rows: for verifiers and tests,
/// which want the whole graph at hand.
struct Csr {
  VertexArray<EdgeOffset> offsets = VertexArray<EdgeOffset>(1);  ///< vertices + 1
  std::vector<VertexId> targets;
  std::vector<uint32_t> weight_bits;  ///< of int32 or float; parallel to targets, empty without

  VertexId vertices() const { return offsets.size() - 1; }
  EdgeOffset edges() const { return targets.size(); }
  EdgeOffset degree(VertexId vertex) const { return offsets[vertex + 1] - offsets[vertex]; }
  absl::Span<const VertexId> neighbors(VertexId vertex) const {
    return absl::MakeConstSpan(targets).subspan(offsets[vertex], degree(vertex));
  }
  /// Parallel to neighbors(vertex); the graph has weights.
  absl::Span<const uint32_t> weights(VertexId vertex) const {
    return absl::MakeConstSpan(weight_bits).subspan(offsets[vertex], degree(vertex));
  }
};

/// Loads one direction of an open graph, which it must have. DataLoss when a file is damaged.
absl::StatusOr<Csr> LoadCsr(const GraphFiles& files, Direction direction);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_CSR_H_
