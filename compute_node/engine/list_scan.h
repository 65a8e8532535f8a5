#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_LIST_SCAN_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_LIST_SCAN_H_

#include <atomic>
#include <cstddef>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "compute_node/engine/divided_list.h"
#include "compute_node/engine/graph.h"
#include "compute_node/pipeline/chunk_cache.h"
#include "compute_node/pipeline/edge_stream.h"
#include "compute_node/pipeline/list_cache.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// One walk over the lists of the active vertices, shared by all threads, for those who ask for
/// what to compute on: the members first, then the pieces of their shares (list_share.h). Kernels
/// call ForEachList and its like (for_each_list.h).
///
/// A full scan that follows another one of the same lists expects a third: when its own far chunks
/// have all been taken, threads start the first ones of that, which are then under way while the
/// kernel ends its iteration.
class ListScan {
 public:
  /// Adds those of the vertices [begin, end) to the active set whose lists are wanted.
  using Choose = absl::FunctionRef<void(VertexId begin, VertexId end)>;
  /// Calls take with vertices whose lists the next walk will ask for, as far as they are known.
  using Soon = absl::FunctionRef<void(absl::FunctionRef<void(absl::Span<const VertexId>)> take)>;

  /// Leaves out the first `skip` neighbours of every list, of vertices as in ForEachChosenTail.
  struct ChosenTails {
    EdgeOffset skip;
    Choose choose;
  };

  /// Has failed already where the direction is not loaded. `active`: nullptr for all vertices.
  /// `tails`, which the scan keeps: of an active set that is not sparse. `soon`: of a sparse one,
  /// as in ForEachList.
  ListScan(Graph& graph, Direction direction, const VertexSubset* active,
           std::optional<ChosenTails> tails = std::nullopt,
           std::optional<Soon> soon = std::nullopt);
  /// What was asked for is here, or will never be.
  ~ListScan();

  /// False where the walk is too short for a second thread to be of any help.
  bool parallel() const { return parallel_; }

  /// The first error of any thread, once all have ended; Cancelled when the user asked to stop.
  absl::Status status() const;

  const EdgeLists& lists() const { return lists_; }
  /// Whose lists the pieces are walked for: nullptr for all vertices; sorted if it is sparse.
  const VertexSubset* active() const { return active_; }
  /// So many of the first neighbours of every list are left out.
  EdgeOffset skip() const { return tails_ ? tails_->skip : 0; }
  /// False if no list comes by TakeMembers.
  bool has_members() const { return !members_.empty() || !arriving_.empty(); }
  /// The next few of the vertices whose lists come by ListOf, not in a piece: of a small active
  /// set, those whose lists are local or in a cache. None when there are none left. Cancelled as
  /// status(); Unavailable when far memory failed. Any thread may call.
  absl::StatusOr<absl::Span<const VertexId>> TakeMembers();
  /// The list of one of them.
  LocalList ListOf(VertexId v) const {
    return cache_ == nullptr ? lists_.FindLocal(v) : cache_->Find(v);
  }

  /// True if the walk has been ended before it was over.
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  /// Ends the walk for all threads, without an error. Any thread may call.
  void Stop();
  /// The same with one.
  void Fail(const absl::Status& status);

 private:
  friend class ListShare;

  /// The next of the chunks of a tier that has an active vertex.
  bool Take(DividedList<size_t>& chunks, size_t* chunk);
  void ChooseWalk(std::optional<Soon> soon);
  absl::Status AskCache(std::optional<Soon> soon);
  void WalkAllChunks();
  void KeepUsedChunks();
  void WalkTouchedChunks(int threads);
  bool IsAtHand(size_t chunk);
  VertexId EndOfChunk(size_t chunk) const;
  bool HasActive(size_t chunk) const;
  const std::vector<size_t>& ChunksToFetch() const;
  EdgePiece PieceAtHand(size_t chunk) const;

  bool TakeAhead(size_t* chunk);
  absl::Status StartFarChunks(EdgeStream& stream);

  Graph& graph_;
  const EdgeLists& lists_;
  const VertexSubset* active_;
  const std::optional<ChosenTails> tails_;
  ListCache* cache_ = nullptr;                ///< that a sparse active set goes by
  std::vector<VertexId> found_members_;       ///< of a sparse active set, those that it has
  std::vector<VertexId> arriving_members_;    ///< and those that it has asked for
  DividedList<VertexId> members_, arriving_;  ///< the same divided; all where all are local
  VertexSubset others_;                       ///< the rest of a sparse active set, sorted
  std::vector<size_t> touched_at_hand_;       ///< the chunks with its vertices
  std::vector<size_t> touched_far_;
  ChunkCache* const chunk_cache_;  ///< of the lists; perhaps none
  const bool continues_;  ///< a full scan of the same lists, which may have started chunks of this
  const bool started_before_;    ///< by streams, some for a scan like the last one
  DividedList<size_t> at_hand_;  ///< chunks that are local or in the cache
  DividedList<size_t> far_;
  bool parallel_ = true;
  std::atomic<bool> stopped_ = false;
  mutable absl::Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_LIST_SCAN_H_
