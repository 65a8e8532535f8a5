#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_LIST_SCAN_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_LIST_SCAN_H_

#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "compute_node/engine/deliver_lists.h"
#include "compute_node/engine/divided_list.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/list_decoder.h"
#include "compute_node/engine/on_team.h"
#include "compute_node/engine/walk_at_hand.h"
#include "compute_node/pipeline/vertex_subset.h"

namespace fargraph {

/// One walk over the lists of the active vertices, shared by all threads. ForEachList and
/// ForEachWeightedList, below, are what kernels call.
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

  /// `active`: nullptr for all vertices. `skip`: leaves out the first neighbours of every list; 0
  /// for all vertices. `choose`, which the scan keeps: as in ForEachChosenTail. `soon`: of a sparse
  /// active set, as in ForEachList.
  ListScan(Graph& graph, Direction direction, const VertexSubset* active, EdgeOffset skip,
           std::optional<Choose> choose = std::nullopt, std::optional<Soon> soon = std::nullopt);
  /// What was asked for is here, or will never be.
  ~ListScan();

  /// False where the walk is too short for a second thread to be of any help.
  bool parallel() const { return parallel_; }

  /// One thread's share of the walk, to be called by every thread of a team. Calls compute(v,
  /// neighbours, weights), with the bytes of the weights or nullptr. If compute(sources, targets)
  /// is there too, many short lists may come at once, as the edges from sources[i] to targets[i];
  /// if compute(const ListRun&) is, whole lists of a walk over all.
  template <typename Compute>
  void Work(Compute& compute);

  /// The first error of any thread, once all have ended; Cancelled when the user asked to stop.
  absl::Status status() const;

  // For those who ask for what to compute on, instead of being called with it:

  /// What one thread computes on, piece by piece.
  class Share;

  const EdgeLists& lists() const { return lists_; }
  /// Whose lists the pieces are walked for: nullptr for all vertices; sorted if it is sparse.
  const VertexSubset* active() const { return active_; }
  /// The next few of the vertices whose lists come by ListOf, not in a piece: of a small active
  /// set, those whose lists are local or in a cache. None when there are none left. Cancelled as
  /// status(); Unavailable when far memory failed. Any thread may call.
  absl::StatusOr<absl::Span<const VertexId>> TakeMembers();
  /// The list of one of them.
  LocalList ListOf(VertexId v) const {
    return cache_ == nullptr ? lists_.FindLocal(v) : cache_->Find(v);
  }

  /// Ends the walk for all threads, without an error. Any thread may call.
  void Stop();
  /// The same with one.
  void Fail(const absl::Status& status);

 private:
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

  template <typename Compute>
  absl::Status Walk(Compute& compute);
  template <typename Compute>
  absl::Status WalkMembers(Compute& compute);
  template <typename Compute>
  absl::Status WalkPieces(Share& share, Compute& compute);
  template <typename Compute>
  bool Deliver(const EdgePiece& piece, Compute& compute) const;
  template <typename Compute>
  absl::StatusOr<bool> DeliverDecoded(const EdgePiece& piece, ListDecoder& decoder,
                                      Compute& compute) const;
  template <typename Compute>
  bool DeliverBatch(const EdgePiece& piece, absl::Span<const VertexId> batch,
                    Compute& compute) const;
  template <typename Compute>
  void DeliverMembers(absl::Span<const VertexId> batch, Compute& compute) const;
  /// True if all of the list of v is in the piece.
  bool Holds(const EdgePiece& piece, VertexId v) const {
    if (v < piece.first_vertex || v >= piece.end_vertex) return false;
    const ElementRange list = lists_.Stored(v, piece.chunk);
    return list.begin >= piece.begin && list.end <= piece.end;
  }
  const std::byte* WeightsAt(const EdgePiece& piece, EdgeOffset edge) const {
    return lists_.WeightBehind(piece.weights, edge - piece.begin);
  }
  bool TakeAhead(size_t* chunk);
  absl::Status StartFarChunks(EdgeStream& stream);

  Graph& graph_;
  const EdgeLists& lists_;
  const VertexSubset* active_;
  const EdgeOffset skip_;
  const std::optional<Choose> choose_;
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

/// Made by a thread of a team for itself. Takes chunks until none is left, and then what was
/// started ahead by threads of the walk before that are not in this one. While far chunks are under
/// way it hands out those that have arrived, then local ones, and sleeps only when there is
/// neither.
class ListScan::Share {
 public:
  explicit Share(ListScan& scan);

  /// Has the first far chunks under way, for those who have something else to do before Next.
  absl::Status Start();

  /// The next pieces, valid until the next call; none when there are none left, or the walk has
  /// been stopped. `want_rest`: as in EdgeStream::Pop, of the last list of those before.
  absl::StatusOr<absl::Span<const EdgePiece>> Next(bool want_rest);

  /// True if the last pieces came from far.
  bool is_far() const { return is_far_; }

  /// Waits for what is under way, as far as it belongs to this walk, and drops it: for those who
  /// did not ask until there was none left.
  void Abandon();

 private:
  absl::StatusOr<absl::Span<const EdgePiece>> TakeNext(bool want_rest);
  absl::Status Begin();
  absl::Status StartFirst();
  absl::Status DropRest();
  absl::Status UseStream(size_t number);

  ListScan& scan_;
  const size_t team_;
  size_t number_;                 ///< of the stream
  bool begun_ = false;            ///< with the first stream
  EdgeStream* stream_ = nullptr;  ///< nullptr where all is local
  EdgePiece at_hand_;             ///< the last one that no stream had
  bool is_far_ = false;           ///< pieces of the stream have been handed out
};

/// ForEachTail where each thread has a compute of its own, which it gets from make_compute(), as
/// ListScan::Work takes it, for each part of the walk.
template <typename MakeCompute>
absl::Status ScanLists(Graph& graph, Direction direction, const VertexSubset* active,
                       EdgeOffset skip, MakeCompute&& make_compute,
                       std::optional<ListScan::Choose> choose = std::nullopt,
                       std::optional<ListScan::Soon> soon = std::nullopt) {
  std::optional<VertexSubset> others;
  if (active != nullptr && active->is_sparse()) {
    others = WalkAtHand(graph, direction, *active, skip, make_compute);
    if (others && others->empty()) return graph.CheckCancelled();
    if (others) active = &*others;
  }
  ListScan scan(graph, direction, active, skip, choose, soon);
  OnTeam(scan.parallel(), [&] {
    auto compute = make_compute();
    scan.Work(compute);
  });
  return scan.status();
}

/// Gives a list to compute in pieces that are as long as the ones there are at most; returns
/// whether the rest is wanted.
template <typename Weight, typename Compute>
bool ComputeWithOnes(VertexId v, absl::Span<const VertexId> neighbors, Compute& compute) {
  static constexpr size_t kOnes = 1024;
  static const std::vector<Weight> ones(kOnes, 1);
  for (size_t begin = 0; begin < neighbors.size(); begin += kOnes) {
    const absl::Span<const VertexId> piece = neighbors.subspan(begin, kOnes);
    const absl::Span<const Weight> weights = absl::MakeConstSpan(ones).first(piece.size());
    if constexpr (std::is_void_v<decltype(compute(v, piece, weights))>) {
      compute(v, piece, weights);
    } else {
      if (!compute(v, piece, weights)) return false;
    }
  }
  return true;
}

/// What calls compute(v, neighbours), and compute(sources, targets) if it is there, as
/// ListScan::Work takes it.
template <typename Compute>
class WithoutWeights {
 public:
  explicit WithoutWeights(Compute& compute) : compute_(compute) {}

  auto operator()(VertexId v, absl::Span<const VertexId> neighbors, const std::byte*) const {
    return compute_(v, neighbors);
  }
  void operator()(absl::Span<const VertexId> sources,
                  absl::Span<const VertexId> targets) const requires
      std::is_invocable_v<Compute&, absl::Span<const VertexId>, absl::Span<const VertexId>> {
    compute_(sources, targets);
  }

 private:
  Compute& compute_;
};

/// Calls compute(v, neighbours) as ForEachList does, but leaves out the first `skip` neighbours of
/// every list: for those who have seen them in the heads. `active` may be nullptr when skip is 0.
template <typename Compute>
absl::Status ForEachTail(Graph& graph, Direction direction, const VertexSubset* active,
                         EdgeOffset skip, Compute&& compute) {
  return ScanLists(graph, direction, active, skip, [&] { return WithoutWeights(compute); });
}

/// ForEachTail of vertices that are found on the way: choose(begin, end) adds to `chosen`, which is
/// not sparse, those of the vertices [begin, end) that want their lists. It is called once for all
/// vertices that have one, a part at a time and on any thread, right before the lists of that part
/// are asked for, while those of other parts are under way.
template <typename Choose, typename Compute>
absl::Status ForEachChosenTail(Graph& graph, Direction direction, const VertexSubset& chosen,
                               EdgeOffset skip, Choose&& choose, Compute&& compute) {
  return ScanLists(
      graph, direction, &chosen, skip, [&] { return WithoutWeights(compute); },
      ListScan::Choose(choose));
}

/// Calls compute(v, neighbours) for every neighbour list of the vertices in `active` (all vertices
/// if nullptr) that is not empty, on all cores. A long list arrives in several pieces, in order and
/// on one thread, so that compute may accumulate into v without atomics. compute returns void, or a
/// bool: false when it has seen enough of this list. `soon`: where a small walk has to wait for a
/// part of its lists, it brings some of those that the next one will want as well.
///
/// The direction must be loaded (Graph::Has). Cancelled when the user asked to stop; Unavailable,
/// naming the memory node, when far memory failed. The work is then incomplete, and so is what
/// compute has written.
template <typename Compute>
absl::Status ForEachList(Graph& graph, Direction direction, const VertexSubset* active,
                         Compute&& compute, std::optional<ListScan::Soon> soon = std::nullopt) {
  return ScanLists(
      graph, direction, active, /*skip=*/0, [&] { return WithoutWeights(compute); },
      /*choose=*/std::nullopt, soon);
}

/// As ForEachList, of lists that the kernel reads as ListUse::kWeightedEdges: calls compute(v,
/// neighbours, weights) with spans of equal size, weights[i] being that of the edge to
/// neighbours[i]. Weight is float or int32_t, as the graph's weight_type says; what the span is of
/// may be narrower, so that compute takes it as auto. In a graph without weights every edge has
/// weight 1.
template <typename Weight, typename Compute>
absl::Status ForEachWeightedList(Graph& graph, Direction direction, const VertexSubset* active,
                                 Compute&& compute) {
  const EdgeLists& lists = graph.Lists(direction);
  if (!lists.has_weights()) {
    const auto compute_with_ones = [&compute](VertexId v, absl::Span<const VertexId> neighbors,
                                              const std::byte*) {
      return ComputeWithOnes<Weight>(v, neighbors, compute);
    };
    return ScanLists(graph, direction, active, /*skip=*/0, [&] { return compute_with_ones; });
  }
  const auto compute_weighted = [&](VertexId v, absl::Span<const VertexId> neighbors,
                                    const std::byte* weights) {
    return TakeWeights<Weight>(lists, weights, neighbors.size(),
                               [&](auto span) { return compute(v, neighbors, span); });
  };
  return ScanLists(graph, direction, active, /*skip=*/0, [&] { return compute_weighted; });
}

template <typename Compute>
void ListScan::Work(Compute& compute) {
  const absl::Status status = Walk(compute);
  if (!status.ok()) Fail(status);
}

template <typename Compute>
absl::Status ListScan::Walk(Compute& compute) {
  Share share(*this);
  if (!members_.empty() || !arriving_.empty()) {
    FARGRAPH_RETURN_IF_ERROR(share.Start());
    FARGRAPH_RETURN_IF_ERROR(WalkMembers(compute));
  }
  return WalkPieces(share, compute);
}

template <typename Compute>
absl::Status ListScan::WalkPieces(Share& share, Compute& compute) {
  // Local lists come between the parts of a long far one.
  ListDecoder far_decoder, local_decoder;
  bool want_rest = true;
  for (;;) {
    FARGRAPH_ASSIGN_OR_RETURN(const absl::Span<const EdgePiece> pieces, share.Next(want_rest));
    if (pieces.empty()) return absl::OkStatus();
    for (const EdgePiece& piece : pieces) {
      if (lists_.compressed()) {
        ListDecoder& decoder = share.is_far() ? far_decoder : local_decoder;
        FARGRAPH_ASSIGN_OR_RETURN(want_rest, DeliverDecoded(piece, decoder, compute));
      } else {
        want_rest = Deliver(piece, compute);
      }
    }
  }
}

/// The vertices of a small active set whose lists need no pieces: straight to their lists.
template <typename Compute>
absl::Status ListScan::WalkMembers(Compute& compute) {
  for (;;) {
    FARGRAPH_ASSIGN_OR_RETURN(const absl::Span<const VertexId> members, TakeMembers());
    if (members.empty()) break;
    DeliverMembers(members, compute);
  }
  // Where the walk goes on, what the cache has asked for is here.
  if (stopped_.load(std::memory_order_relaxed)) return absl::OkStatus();
  FollowFound(
      compute, [&](VertexId v) { return ListOf(v).edges != nullptr; },
      [&](absl::Span<const VertexId> found) { DeliverMembers(found, compute); });
  return absl::OkStatus();
}

/// Hands the lists of a piece to compute; returns whether the rest of the last one is wanted.
template <typename Compute>
bool ListScan::Deliver(const EdgePiece& piece, Compute& compute) const {
  bool want_rest = true;
  if (active_ != nullptr) {
    active_->ForEachBatch(
        piece.first_vertex, piece.end_vertex,
        [&](absl::Span<const VertexId> batch) { want_rest = DeliverBatch(piece, batch, compute); });
    FollowFound(
        compute, [&](VertexId v) { return Holds(piece, v); },
        [&](absl::Span<const VertexId> found) { DeliverBatch(piece, found, compute); });
    return want_rest;
  }
  if constexpr (std::is_invocable_v<Compute&, const ListRun&>) {
    const auto index = lists_.Index(piece.first_vertex, piece.end_vertex);
    if (index.front() == piece.begin && index.back() == piece.end) {
      compute(ListRun{.first_vertex = piece.first_vertex,
                      .index = index,
                      .edges = piece.edges(),
                      .weights = WeightsAt(piece, piece.begin)});
      return true;
    }
  }
  EdgeOffset begin = piece.begin;
  for (VertexId v = piece.first_vertex; v < piece.end_vertex; ++v) {
    const EdgeOffset end = std::min(lists_.End(v), piece.end);
    want_rest = DeliverList(v, {piece.edges() + (begin - piece.begin), end - begin},
                            WeightsAt(piece, begin), compute);
    begin = end;
  }
  return want_rest;
}

/// The same for a piece of code. Each list is decoded right before compute sees it.
template <typename Compute>
absl::StatusOr<bool> ListScan::DeliverDecoded(const EdgePiece& piece, ListDecoder& decoder,
                                              Compute& compute) const {
  absl::StatusOr<bool> want_rest = true;
  const auto visit = [&](VertexId v) {
    if (lists_.Degree(v) <= skip_ || !want_rest.ok()) return;
    const auto compute_block = [&](EdgeOffset position, absl::Span<const VertexId> neighbors) {
      if (position < skip_) {
        neighbors.remove_prefix(std::min<EdgeOffset>(skip_ - position, neighbors.size()));
        if (neighbors.empty()) return true;
      }
      if constexpr (std::is_void_v<decltype(compute(v, neighbors, nullptr))>) {
        compute(v, neighbors, nullptr);
        return true;
      } else {
        return compute(v, neighbors, nullptr);
      }
    };
    want_rest = decoder.Decode(CodeOf(lists_, v, piece), compute_block);
  };
  if (active_ != nullptr) {
    active_->ForEach(piece.first_vertex, piece.end_vertex, visit);
    FollowFound(
        compute, [&](VertexId v) { return Holds(piece, v); },
        [&](absl::Span<const VertexId> found) { absl::c_for_each(found, visit); });
  } else {
    for (VertexId v = piece.first_vertex; v < piece.end_vertex; ++v) visit(v);
  }
  return want_rest;
}

/// Of a piece, the lists of a few vertices.
template <typename Compute>
bool ListScan::DeliverBatch(const EdgePiece& piece, absl::Span<const VertexId> batch,
                            Compute& compute) const {
  const auto find = [&](VertexId v) -> FoundList {
    const EdgeOffset begin = std::max(lists_.Begin(v) + skip_, piece.begin);
    const EdgeOffset end = std::max(begin, std::min(lists_.End(v), piece.end));
    return {.edges = piece.edges() + (begin - piece.begin),
            .count = end - begin,
            .weights = WeightsAt(piece, begin),
            .padded = begin + kShortList <= piece.end};
  };
  return DeliverFound(batch, find, compute);
}

/// The lists of some of the members.
template <typename Compute>
void ListScan::DeliverMembers(absl::Span<const VertexId> batch, Compute& compute) const {
  const auto find = [&](VertexId v) { return TailOf(lists_, v, ListOf(v), skip_); };
  DeliverFound(batch, find, compute);
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_LIST_SCAN_H_
