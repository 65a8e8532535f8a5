#ifndef FARGRAPH_COMPUTE_NODE_IO_ITERATOR_H_
#define FARGRAPH_COMPUTE_NODE_IO_ITERATOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/list_decoder.h"
#include "compute_node/engine/list_scan.h"
#include "compute_node/engine/list_share.h"
#include "compute_node/engine/vertex_map.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

/// The IoIterator of Graphene (Liu and Huang, "Graphene: Fine-Grained IO Management for Graph
/// Computing", FAST 2017, section 2 and table 1): a program says which vertices are active and what
/// to compute on their neighbours, and gets the lists one after the other, wherever they lie. One
/// iteration of a program is
///
///     ActiveLists active(graph, Direction::kOut, is_active);
///     #pragma omp parallel if (active.parallel())
///     for (IoIterator lists(active); lists.has_more();) {
///       lists.next();
///       compute(lists.current(), lists.get_neighbors());
///     }
///     FARGRAPH_RETURN_IF_ERROR(active.status());
///
/// docs/io-iterator.md walks through a breadth-first search. Lists come over the same data path as
/// in ForEachList: while a thread computes on one buffer the next ones are under way.
namespace fargraph {

/// The neighbour lists of the active vertices of one iteration, which all threads share. Made and
/// destroyed by one thread, outside of the parallel region; one at a time for a graph, which
/// outlives it.
class ActiveLists {
 public:
  /// Asks is_active(v) once for every vertex, on all cores and in any order.
  template <typename IsActive>
  ActiveLists(Graph& graph, Direction direction, IsActive&& is_active)
      : ActiveLists(graph, direction,
                    VertexFilter(graph.vertices(), std::forward<IsActive>(is_active))) {}

  /// The same of a set that the program has at hand.
  ActiveLists(Graph& graph, Direction direction, VertexSubset active);

  ActiveLists(const ActiveLists&) = delete;
  ActiveLists& operator=(const ActiveLists&) = delete;

  /// The number of active vertices, with and without neighbours.
  uint64_t size() const { return active_.size(); }

  /// False where the lists are so short that a second thread would come too late to help.
  bool parallel() const { return scan_.parallel(); }

  /// The first error of any thread, once all iterators are gone: FailedPrecondition when the
  /// direction is not loaded (Graph::Has); Cancelled when the user asked to stop; Unavailable,
  /// naming the memory node, when far memory failed; of an SSD DataLoss or Internal, naming file or
  /// directory; DataLoss for a damaged list. Then not all lists have been seen.
  absl::Status status() const { return scan_.status(); }

 private:
  friend class IoIterator;

  const VertexSubset active_;
  ListScan scan_;
};

/// One thread's share of the active lists. Made, used and destroyed by one thread of an OpenMP team
/// (or by one thread alone, outside of any), at most one by each. Together the iterators of a team
/// give every neighbour of every active vertex exactly once; which of them gives which vertex
/// depends on what has arrived. A vertex without neighbours does not come at all.
///
/// A long list comes in pieces: next() stays at the same vertex, and get_neighbors() gives the next
/// neighbours of it. The pieces of a list are in order and all come to the same iterator, so that
/// compute may add to what belongs to current() without atomics; pieces of other lists may come
/// between those of a far one.
///
/// An iterator that is destroyed before has_more() has said false ends the iteration: every other
/// one gets no more than what it is at, and what is under way is dropped.
class IoIterator {
 public:
  explicit IoIterator(ActiveLists& lists);
  ~IoIterator();
  IoIterator(const IoIterator&) = delete;
  IoIterator& operator=(const IoIterator&) = delete;

  /// True if there is another piece of a list; waits for it to arrive. False also after an error of
  /// any thread, which ActiveLists::status() then tells.
  bool has_more() {
    if (!found_ && !ended_) Find();
    return found_;
  }

  /// Moves on to it. Only if has_more().
  void next() {
    has_more();
    found_ = false;
  }

  /// The vertex whose list next() has moved to, until has_more() or next() is called.
  VertexId current() const { return current_; }

  /// Its neighbours, or some of them, ascending: never empty. They lie where they have arrived, and
  /// stay until has_more() or next() is called.
  absl::Span<const VertexId> get_neighbors() const { return neighbors_; }

 private:
  void Find();
  absl::StatusOr<bool> Advance();
  absl::StatusOr<bool> TakeVertices();
  absl::StatusOr<bool> TakePiece();
  absl::Span<const VertexId> VerticesOf(const EdgePiece& piece);
  absl::StatusOr<bool> TakeNeighbors(VertexId v);
  bool TakeWhole(VertexId v);
  bool TakeFromPiece(VertexId v);
  absl::StatusOr<bool> DecodeNeighbors(VertexId v);

  ListScan& scan_;
  ListShare share_;
  bool found_ = false;  ///< current_ and neighbors_ are what next() moves to
  bool ended_ = false;

  absl::Span<const EdgePiece> pieces_;   ///< the first one is being walked
  VertexId walked_to_ = 0;               ///< in it
  absl::Span<const VertexId> vertices_;  ///< active ones, whose lists are in the first piece
  std::array<VertexId, VertexSubset::kBatch> batch_;
  bool at_members_ = true;  ///< vertices_ are those whose lists come in no piece

  bool decoding_ = false;                    ///< the list of vertices_.front()
  ListCode code_;                            ///< the rest of it
  ListDecoder far_decoder_, local_decoder_;  ///< local lists come between the parts of a far one

  VertexId current_ = kNoVertex;
  absl::Span<const VertexId> neighbors_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_IO_ITERATOR_H_
