#ifndef FARGRAPH_GRAPH_WRITE_GRAPH_H_
#define FARGRAPH_GRAPH_WRITE_GRAPH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "graph/edge_reader.h"
#include "graph/graph_files.h"

namespace fargraph {

struct WriteGraphOptions {
  bool symmetrize = false;  ///< store every edge in both directions, self-loops once
  bool reverse = true;      ///< store in-edges, where not symmetrized
  bool compress = false;    ///< store lists as codes
  WeightType weight_type = WeightType::kNone;
};

/// Writes edges that are in memory as the graph directory `output`, which must not be there, with
/// BuildGraph: for tests and small programs. Ids are 0 to `vertices` - 1 (InvalidArgument
/// otherwise), and are the vertices; self-loops and duplicates are kept.
absl::StatusOr<GraphManifest> WriteGraph(const std::string& output, uint64_t vertices,
                                         const std::vector<InputEdge>& edges,
                                         const WriteGraphOptions& options = {});

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_WRITE_GRAPH_H_
