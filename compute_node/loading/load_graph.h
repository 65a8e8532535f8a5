#ifndef FARGRAPH_COMPUTE_NODE_LOADING_LOAD_GRAPH_H_
#define FARGRAPH_COMPUTE_NODE_LOADING_LOAD_GRAPH_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "common/memory/mapped_memory.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/kernel.h"
#include "compute_node/loading/place_options.h"
#include "compute_node/loading/place_state.h"
#include "compute_node/pipeline/edge_stream.h"
#include "compute_node/placement/placement_plan.h"
#include "compute_node/tiers/far_tiers.h"
#include "compute_node/tiers/link_sweep.h"
#include "graph/graph_files.h"

namespace fargraph {

/// What a ListCache reads into.
struct ListCacheMemory {
  MappedMemory slots;
  RegisteredMemory region;
};

/// A graph in its places, with the streams that bring its far chunks. What it holds goes before the
/// far memory.
struct LoadedGraph {
  std::shared_ptr<const EdgeLists> out;  ///< nullptr where the kernel has no use for it
  std::shared_ptr<const EdgeLists> in;   ///< the same object as `out` where the graph is symmetric
  std::shared_ptr<const Heads> out_heads;  ///< without columns where the kernel has no use for any
  std::shared_ptr<const Heads> in_heads;   ///< or they have no room
  MappedMemory rings;                      ///< behind the frames of caches of chunks
  RegisteredMemory rings_region;
  ListCacheMemory out_cache_memory, in_cache_memory;
  std::vector<std::unique_ptr<EdgeStream>>
      streams;  ///< one per OpenMP thread; empty when nothing is far
  std::unique_ptr<ListCache> out_cache, in_cache;     ///< nullptr where the plan has none
  std::unique_ptr<ChunkCache> out_chunks, in_chunks;  ///< the same; in the memory of the rings
  PlacedState state;                                  ///< of the kernel, as far as it is far
  uint64_t edge_bytes = 0;  ///< of the lists that the kernel reads, weights included
  uint64_t far_bytes = 0;   ///< of those
  uint64_t ssd_bytes = 0;   ///< and of those
  uint64_t head_bytes = 0;  ///< copies of those
  uint64_t cache_bytes = 0;
  bool attached = false;  ///< all far bytes were there already
};

/// Loads what the kernel reads of the graph and places it as planned. Errors of the files and of
/// far memory pass through.
absl::StatusOr<LoadedGraph> LoadGraph(const GraphFiles& files, const Kernel& kernel,
                                      const PlacementPlan& plan, const PlaceOptions& options);

/// The loaded graph as kernels see it; takes its streams and state, and needs the rest of it. The
/// last two: as in Graph::Parts.
Graph TakeGraph(const GraphFiles& files, LoadedGraph& loaded, const std::atomic<bool>* cancelled,
                std::function<void(uint64_t iteration, uint64_t active)> on_iteration);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_LOADING_LOAD_GRAPH_H_
