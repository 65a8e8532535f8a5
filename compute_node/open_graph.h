#ifndef FARGRAPH_COMPUTE_NODE_OPEN_GRAPH_H_
#define FARGRAPH_COMPUTE_NODE_OPEN_GRAPH_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/kernel.h"
#include "compute_node/job_options.h"
#include "graph/ids.h"

namespace fargraph {

/// What a program reads of a graph. Walks over lists that it has not named are FailedPrecondition.
struct GraphUse {
  ListUse out_lists = ListUse::kEdges;
  ListUse in_lists = ListUse::kNone;
  uint64_t bytes_per_vertex = 0;  ///< of what the program holds itself, which counts towards
                                  ///< JobOptions::local_memory_bytes
};

/// A graph that a program has opened, placed over its tiers. Its threads are those of OpenMP when
/// it was opened. Goes with the regions that it put on memory nodes, unless it keeps them.
class OpenedGraph {
 public:
  virtual ~OpenedGraph() = default;

  /// For ForEachList, EdgeMap, VertexMap and the IoIterator.
  virtual Graph& graph() = 0;

  /// The vertex that JobOptions::source names; nullopt if that is not set.
  virtual std::optional<VertexId> source() const = 0;
};

/// Opens a graph directory for a program that is not a kernel of the `fargraph` command. Of the
/// options these count: graph_path, verify_files, source; memory_nodes, ssd_directories, transport,
/// token, far_ratio, local_memory_bytes, compressed, keep; chunk_bytes, buffers, link_cache_path;
/// cancelled, log, on_load, on_iteration. The program says graph().EndIteration where on_iteration
/// shall be called. The graph outlives neither `*options.cancelled` nor what its callbacks refer
/// to. One graph at a time.
///
/// NotFound and DataLoss for the files; InvalidArgument for a graph without the lists, for a value
/// out of its range, for a far ratio without a tier, and for what only the command does (output,
/// verification, several trials, a log of iterations, a trace of reads); OutOfRange for a source
/// that is no vertex; ResourceExhausted, with the smallest that would do, for a budget that is too
/// small, or where this process has less memory left than the graph takes; Cancelled when
/// `*options.cancelled` became true; errors of connecting to memory nodes.
absl::StatusOr<std::unique_ptr<OpenedGraph>> OpenGraph(const JobOptions& options,
                                                       const GraphUse& use = {});

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_OPEN_GRAPH_H_
