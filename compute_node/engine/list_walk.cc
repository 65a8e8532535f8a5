#include "compute_node/engine/list_walk.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "compute_node/engine/hand_over.h"
#include "compute_node/engine/list_decoder.h"
#include "compute_node/engine/list_receiver.h"
#include "compute_node/engine/list_share.h"
#include "compute_node/engine/on_team.h"
#include "compute_node/pipeline/list_cache.h"
#include "compute_node/placement/edge_lists.h"

namespace fargraph {
namespace {

/// One thread's share of a walk.
class ThreadWalk {
 public:
  ThreadWalk(ListScan& scan, ListReceiver& receiver)
      : scan_(scan),
        lists_(scan.lists()),
        active_(scan.active()),
        skip_(scan.skip()),
        share_(scan),
        receiver_(receiver) {}

  absl::Status Walk() {
    if (scan_.has_members()) {
      FARGRAPH_RETURN_IF_ERROR(share_.Start());
      FARGRAPH_RETURN_IF_ERROR(WalkMembers());
    }
    return WalkPieces();
  }

  /// After a walk that was ended before it was over: leaves nothing under way to the next one.
  void Abandon() { share_.Abandon(); }

 private:
  /// The vertices of a small active set whose lists need no pieces: straight to their lists.
  absl::Status WalkMembers() {
    for (;;) {
      FARGRAPH_ASSIGN_OR_RETURN(const absl::Span<const VertexId> members, scan_.TakeMembers());
      if (members.empty()) break;
      HandOverMembers(members);
    }
    // Where the walk goes on, what the cache has asked for is here.
    if (scan_.stopped()) return absl::OkStatus();
    FollowFound(
        receiver_, [&](VertexId v) { return scan_.ListOf(v).edges != nullptr; },
        [&](absl::Span<const VertexId> found) { HandOverMembers(found); });
    return absl::OkStatus();
  }

  absl::Status WalkPieces() {
    bool want_rest = true;
    for (;;) {
      FARGRAPH_ASSIGN_OR_RETURN(const absl::Span<const EdgePiece> pieces, share_.Next(want_rest));
      if (pieces.empty()) return absl::OkStatus();
      for (const EdgePiece& piece : pieces) {
        if (lists_.compressed()) {
          FARGRAPH_ASSIGN_OR_RETURN(want_rest, Decode(piece));
        } else {
          want_rest = HandOverPiece(piece);
        }
      }
    }
  }

  bool HandOverPiece(const EdgePiece& piece) {
    if (active_ == nullptr) return receiver_.TakePiece(lists_, piece);
    bool want_rest = true;
    active_->ForEachBatch(
        piece.first_vertex, piece.end_vertex,
        [&](absl::Span<const VertexId> batch) { want_rest = HandOverLists(piece, batch); });
    FollowFound(
        receiver_, [&](VertexId v) { return Holds(piece, v); },
        [&](absl::Span<const VertexId> found) { HandOverLists(piece, found); });
    return want_rest;
  }

  /// The same for a piece of code. Each list is decoded right before the receiver gets it.
  absl::StatusOr<bool> Decode(const EdgePiece& piece) {
    ListDecoder& decoder = share_.is_far() ? far_decoder_ : local_decoder_;
    absl::StatusOr<bool> want_rest = true;
    const auto visit = [&](VertexId v) {
      if (lists_.Degree(v) <= skip_ || !want_rest.ok()) return;
      want_rest = decoder.Decode(
          CodeOf(lists_, v, piece), [&](EdgeOffset position, absl::Span<const VertexId> neighbors) {
            if (position < skip_)
              neighbors.remove_prefix(std::min<EdgeOffset>(skip_ - position, neighbors.size()));
            return neighbors.empty() || receiver_.TakePart(v, neighbors);
          });
    };
    if (active_ != nullptr) {
      active_->ForEach(piece.first_vertex, piece.end_vertex, visit);
      FollowFound(
          receiver_, [&](VertexId v) { return Holds(piece, v); },
          [&](absl::Span<const VertexId> found) { absl::c_for_each(found, visit); });
    } else {
      for (VertexId v = piece.first_vertex; v < piece.end_vertex; ++v) visit(v);
    }
    return want_rest;
  }

  /// Of a piece, the lists of a few vertices.
  bool HandOverLists(const EdgePiece& piece, absl::Span<const VertexId> batch) {
    const auto find = [&](VertexId v) -> FoundList {
      const EdgeOffset begin = std::max(lists_.Begin(v) + skip_, piece.begin);
      const EdgeOffset end = std::max(begin, std::min(lists_.End(v), piece.end));
      return {.edges = piece.edges() + (begin - piece.begin),
              .count = end - begin,
              .weights = WeightsAt(lists_, piece, begin),
              .padded = begin + kShortList <= piece.end};
    };
    return HandOver(batch, find, receiver_);
  }

  void HandOverMembers(absl::Span<const VertexId> batch) {
    const auto find = [&](VertexId v) { return WholeList(lists_, v, scan_.ListOf(v)); };
    HandOver(batch, find, receiver_);
  }

  /// True if all of the list of v is in the piece.
  bool Holds(const EdgePiece& piece, VertexId v) const {
    if (v < piece.first_vertex || v >= piece.end_vertex) return false;
    const ElementRange list = lists_.Stored(v, piece.chunk);
    return list.begin >= piece.begin && list.end <= piece.end;
  }

  ListScan& scan_;
  const EdgeLists& lists_;
  const VertexSubset* const active_;
  const EdgeOffset skip_;
  ListShare share_;
  ListReceiver& receiver_;
  ListDecoder far_decoder_, local_decoder_;  ///< local lists come between the parts of a far one
};

}  // namespace

absl::Status WalkLists(Graph& graph, Direction direction, const VertexSubset* active,
                       std::optional<ListScan::ChosenTails> tails,
                       std::optional<ListScan::Soon> soon, OnThread on_thread) {
  FARGRAPH_RETURN_IF_ERROR(graph.CheckHas(direction));
  std::optional<VertexSubset> others;
  if (active != nullptr && active->is_sparse()) {
    // Of a walk that was left, blocks may not have come for which the cache has places.
    ListCache* const cache = graph.cache(graph.Lists(direction));
    if (cache != nullptr) FARGRAPH_RETURN_IF_ERROR(cache->Await());
    others = WalkAtHand(graph, direction, *active, on_thread);
    if (others && others->empty()) return graph.CheckCancelled();
    if (others) active = &*others;
  }
  ListScan scan(graph, direction, active, tails, soon);
  const auto walk = [&scan](ListReceiver& receiver) {
    ThreadWalk thread_walk(scan, receiver);
    const absl::Status status = thread_walk.Walk();
    if (!status.ok()) scan.Fail(status);
    if (scan.stopped()) thread_walk.Abandon();
  };
  OnTeam(scan.parallel(), [&] { on_thread(walk); });
  return scan.status();
}

}  // namespace fargraph
