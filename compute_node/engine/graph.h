#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_GRAPH_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_GRAPH_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compute_node/engine/divided_list.h"
#include "compute_node/pipeline/chunk_cache.h"
#include "compute_node/pipeline/edge_stream.h"
#include "compute_node/pipeline/far_state.h"
#include "compute_node/pipeline/list_cache.h"
#include "compute_node/pipeline/stream_stats.h"
#include "compute_node/placement/edge_lists.h"
#include "compute_node/placement/heads.h"
#include "graph/ids.h"
#include "graph/vertex_names.h"

namespace fargraph {

/// What the streams have started, towards the end of one full scan, of the next: the engine's.
struct ScanAhead {
  const EdgeLists* lists = nullptr;   ///< that the last scan walked, if it was full
  DividedList<size_t> chunks;         ///< their far chunks that have not been started
  std::atomic<bool> started = false;  ///< some have
};

/// A graph as kernels see it: placed, with everything that is needed to walk its lists. Where edges
/// lie shows in nothing but the time that a walk takes. Kernels use ForEachList, EdgeMap and
/// VertexMap on it.
class Graph {
 public:
  struct Parts {
    VertexId vertices = 0;
    std::shared_ptr<const EdgeLists>
        out;  ///< nullptr where the job has no use for it; the same as `in` if symmetric
    std::shared_ptr<const EdgeLists> in;
    std::shared_ptr<const Heads> out_heads, in_heads;  ///< of the lists; perhaps no columns
    bool may_have_self_loops = true;                   ///< false: known to have none
    WeightType weight_type = WeightType::kNone;        ///< of the weights that the lists hold
    std::vector<std::unique_ptr<EdgeStream>>
        streams;  ///< one per thread; empty when all chunks are local
    std::unique_ptr<ListCache> out_cache, in_cache;     ///< of the lists; perhaps none
    std::unique_ptr<ChunkCache> out_chunks, in_chunks;  ///< of the lists; perhaps none
    FarState far_state;                                 ///< of the kernel; perhaps no arrays
    std::optional<VertexNames> names;  ///< nothing: the input calls vertices by their numbers
    const std::atomic<bool>* cancelled = nullptr;  ///< becomes true when the user asks to stop
    std::function<void(uint64_t iteration, uint64_t active)> on_iteration;
  };
  explicit Graph(Parts parts) : parts_(std::move(parts)) {}

  VertexId vertices() const { return parts_.vertices; }
  EdgeOffset OutDegree(VertexId v) const { return parts_.out->Degree(v); }
  EdgeOffset InDegree(VertexId v) const { return parts_.in->Degree(v); }
  EdgeOffset Degree(VertexId v, Direction direction) const { return Lists(direction).Degree(v); }

  /// True if lists of that direction can be walked.
  bool Has(Direction direction) const {
    const EdgeLists* lists = direction == Direction::kOut ? parts_.out.get() : parts_.in.get();
    return lists != nullptr && lists->has_edges();
  }
  /// FailedPrecondition where they cannot.
  absl::Status CheckHas(Direction direction) const;
  /// True if the lists of both directions are the same.
  bool symmetric() const { return parts_.out == parts_.in; }
  const EdgeLists& Lists(Direction direction) const {
    return direction == Direction::kOut ? *parts_.out : *parts_.in;
  }

  /// The first neighbours of every vertex, in local memory; perhaps no columns.
  const Heads& heads(Direction direction) const {
    return direction == Direction::kOut ? *parts_.out_heads : *parts_.in_heads;
  }

  /// False if it is known that no vertex is its own neighbour.
  bool may_have_self_loops() const { return parts_.may_have_self_loops; }

  /// Which Weight ForEachWeightedList can give: int32_t, also where there are none, or float.
  WeightType weight_type() const { return parts_.weight_type; }

  /// What the input calls the vertices.
  VertexNames names() const { return parts_.names.value_or(VertexNames(parts_.vertices, {})); }
  /// The input's own id of a vertex, for answers: reads the graph's files.
  absl::StatusOr<uint64_t> InputId(VertexId v) const { return names().IdOf(v); }

  /// A kernel says so at the end of each iteration; `active`: vertices that the iteration worked
  /// on.
  void EndIteration(uint64_t active) {
    ++iterations_;
    if (parts_.on_iteration) parts_.on_iteration(iterations_, active);
  }
  uint64_t iterations() const { return iterations_; }

  /// Cancelled when the user has asked to stop; scans check it themselves. Any thread may call.
  absl::Status CheckCancelled() const;

  /// For the engine: one stream for each of as many threads as there were when the graph was
  /// placed; none when all is local.
  size_t streams() const { return parts_.streams.size(); }
  /// That of OpenMP thread `thread` of a parallel region; nullptr when there is none.
  EdgeStream* stream(size_t thread) {
    return thread < streams() ? parts_.streams[thread].get() : nullptr;
  }
  /// What walks over few vertices keep of lists of this graph; nullptr where they keep nothing.
  ListCache* cache(const EdgeLists& lists) {
    return &lists == parts_.out.get() ? parts_.out_cache.get() : parts_.in_cache.get();
  }
  /// What walks over some of the vertices keep of them; nullptr where they keep nothing.
  ChunkCache* chunk_cache(const EdgeLists& lists) {
    return &lists == parts_.out.get() ? parts_.out_chunks.get() : parts_.in_chunks.get();
  }
  ScanAhead& ahead() { return ahead_; }
  void CountFarScan() { ++far_scans_; }
  /// How many scans read far chunks: so often were all threads kept waiting for the first of them.
  uint64_t far_scans() const { return far_scans_; }
  /// For SequentialArrays.
  FarState& far_state() { return parts_.far_state; }
  /// Sum over all streams, of lists and of state.
  StreamStats stats() const;

 private:
  Parts parts_;
  ScanAhead ahead_;
  uint64_t iterations_ = 0;
  uint64_t far_scans_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_GRAPH_H_
