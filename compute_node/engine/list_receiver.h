#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_LIST_RECEIVER_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_LIST_RECEIVER_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// What is at hand of a list, perhaps nothing. Without initialisers, for a batch of them is set up
/// for each piece of a chunk, however few lists that has.
struct FoundList {
  const VertexId* edges;
  size_t count;              ///< of edges
  const std::byte* weights;  ///< parallel to them; nullptr without weights
  bool padded;               ///< kShortList edges can be read, whatever they are

  absl::Span<const VertexId> neighbors() const { return {edges, count}; }
};
using FoundLists = std::array<FoundList, VertexSubset::kBatch>;

/// The weights of the edges of a piece, from one of them on; nullptr without weights.
inline const std::byte* WeightsAt(const EdgeLists& lists, const EdgePiece& piece, EdgeOffset edge) {
  return lists.WeightBehind(piece.weights, edge - piece.begin);
}

/// What a walk hands lists to, one thread's: a kernel's compute as the engine sees it. A call
/// brings many lists, or a part of a long one, so that walks are compiled once and not for every
/// kernel. Those that return a bool say whether the rest of the last list is wanted.
class ListReceiver {
 public:
  /// The lists of a few vertices.
  virtual bool TakeBatch(absl::Span<const VertexId> batch, const FoundLists& lists) = 0;
  /// All lists of a piece of edges.
  virtual bool TakePiece(const EdgeLists& lists, const EdgePiece& piece) = 0;
  /// A part of a list without weights, which is not empty.
  virtual bool TakePart(VertexId v, absl::Span<const VertexId> neighbors) = 0;
  /// Vertices found since the last call for which is_here(v), whose lists are wanted in the same
  /// walk, valid until the next call; the others are left to a later walk.
  virtual absl::Span<const VertexId> TakeFound(absl::FunctionRef<bool(VertexId)> is_here) = 0;

 protected:
  ~ListReceiver() = default;
};

/// A receiver that calls compute(v, neighbours, weights), with the bytes of the weights or nullptr,
/// for what is not empty; compute returns void, or a bool as TakePart. If compute(sources, targets)
/// is there too, many short lists may come at once, as the edges from sources[i] to targets[i]; if
/// compute(const ListRun&) is, whole lists of a walk over all; if compute.TakeFound(is_here) is, it
/// finds vertices.
template <typename Compute>
class ReceiverOf final : public ListReceiver {
 public:
  explicit ReceiverOf(Compute& compute) : compute_(compute) {}

  bool TakeBatch(absl::Span<const VertexId> batch, const FoundLists& lists) override {
    if constexpr (kTakesEdges) {
      TakeFlat(batch, lists);
      return true;
    }
    bool want_rest = true;
    for (size_t i = 0; i < batch.size(); ++i) {
      want_rest = Take(batch[i], lists[i].neighbors(), lists[i].weights);
    }
    return want_rest;
  }

  bool TakePiece(const EdgeLists& lists, const EdgePiece& piece) override {
    if constexpr (std::is_invocable_v<Compute&, const ListRun&>) {
      const auto index = lists.Index(piece.first_vertex, piece.end_vertex);
      if (index.front() == piece.begin && index.back() == piece.end) {
        compute_(ListRun{.first_vertex = piece.first_vertex,
                         .index = index,
                         .edges = piece.edges(),
                         .weights = WeightsAt(lists, piece, piece.begin)});
        return true;
      }
    }
    bool want_rest = true;
    EdgeOffset begin = piece.begin;
    for (VertexId v = piece.first_vertex; v < piece.end_vertex; ++v) {
      const EdgeOffset end = std::min(lists.End(v), piece.end);
      want_rest = Take(v, {piece.edges() + (begin - piece.begin), end - begin},
                       WeightsAt(lists, piece, begin));
      begin = end;
    }
    return want_rest;
  }

  bool TakePart(VertexId v, absl::Span<const VertexId> neighbors) override {
    return Take(v, neighbors, /*weights=*/nullptr);
  }

  absl::Span<const VertexId> TakeFound(absl::FunctionRef<bool(VertexId)> is_here) override {
    if constexpr (requires { compute_.TakeFound(is_here); }) return compute_.TakeFound(is_here);
    return {};
  }

 private:
  static constexpr bool kTakesEdges =
      std::is_invocable_v<Compute&, absl::Span<const VertexId>, absl::Span<const VertexId>>;

  [[gnu::always_inline]] inline bool Take(VertexId v, absl::Span<const VertexId> neighbors,
                                          const std::byte* weights) {
    if (neighbors.empty()) return true;
    if constexpr (std::is_void_v<decltype(compute_(v, neighbors, weights))>) {
      compute_(v, neighbors, weights);
      return true;
    } else {
      return compute_(v, neighbors, weights);
    }
  }

  /// The short lists as one. Where a short list ends cannot be foreseen, so all are copied as if
  /// they had the same length.
  void TakeFlat(absl::Span<const VertexId> batch, const FoundLists& lists) {
    std::array<VertexId, VertexSubset::kBatch * kShortList> sources, targets;
    size_t edges = 0;
    for (size_t i = 0; i < batch.size(); ++i) {
      const FoundList& list = lists[i];
      if (list.count > kShortList || !list.padded) {
        Take(batch[i], list.neighbors(), list.weights);
        continue;
      }
      std::copy_n(list.edges, kShortList, targets.data() + edges);
      std::fill_n(sources.data() + edges, kShortList, batch[i]);
      edges += list.count;
    }
    compute_(absl::MakeConstSpan(sources.data(), edges),
             absl::MakeConstSpan(targets.data(), edges));
  }

  Compute& compute_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_LIST_RECEIVER_H_
