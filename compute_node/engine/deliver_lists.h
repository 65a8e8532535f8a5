#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_DELIVER_LISTS_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_DELIVER_LISTS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "absl/types/span.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

/// How lists that have been found in local memory are handed to what computes on them: for the
/// engine. `compute` is as ListScan::Work takes it.
namespace fargraph {

/// Lists of so few edges are not told apart.
inline constexpr size_t kShortList = 8;

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

/// The list of v, behind which there is padding, without the first `skip` edges.
inline FoundList TailOf(const EdgeLists& lists, VertexId v, const LocalList& list,
                        EdgeOffset skip) {
  const EdgeOffset degree = lists.Degree(v);
  if (degree <= skip || list.edges == nullptr) return {};
  return {.edges = list.edges + skip,
          .count = degree - skip,
          .weights = lists.WeightBehind(list.weights, skip),
          .padded = true};
}

/// Calls take(weights) with a span of the `count` weights of lists that have them, as what the
/// lists hold: Weight, or bytes where these stand for int32_t.
template <typename Weight, typename Take>
[[gnu::always_inline]] inline auto TakeWeights(const EdgeLists& lists, const std::byte* weights,
                                               size_t count, Take&& take) {
  if constexpr (std::is_same_v<Weight, int32_t>) {
    if (lists.weight_bytes() == sizeof(uint8_t)) {
      return take(absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(weights), count));
    }
  }
  return take(absl::MakeConstSpan(reinterpret_cast<const Weight*>(weights), count));
}

/// What there is of the list of v, if there is anything.
template <typename Compute>
[[gnu::always_inline]] inline bool DeliverList(VertexId v, absl::Span<const VertexId> neighbors,
                                               const std::byte* weights, Compute& compute) {
  if (neighbors.empty()) return true;
  if constexpr (std::is_void_v<decltype(compute(v, neighbors, weights))>) {
    compute(v, neighbors, weights);
    return true;
  } else {
    return compute(v, neighbors, weights);
  }
}

/// The lists of a batch for a compute that takes edges: the short ones as one. Where a short list
/// ends cannot be foreseen, so all are copied as if they had the same length.
template <typename Compute>
void DeliverFlat(absl::Span<const VertexId> batch, const FoundLists& lists, Compute& compute) {
  std::array<VertexId, VertexSubset::kBatch * kShortList> sources, targets;
  size_t edges = 0;
  for (size_t i = 0; i < batch.size(); ++i) {
    const FoundList& list = lists[i];
    if (list.count > kShortList || !list.padded) {
      DeliverList(batch[i], list.neighbors(), list.weights, compute);
      continue;
    }
    std::copy_n(list.edges, kShortList, targets.data() + edges);
    std::fill_n(sources.data() + edges, kShortList, batch[i]);
    edges += list.count;
  }
  compute(absl::MakeConstSpan(sources.data(), edges), absl::MakeConstSpan(targets.data(), edges));
}

/// The lists of a few vertices, which are asked for before the first is used.
template <typename Find, typename Compute>
bool DeliverFound(absl::Span<const VertexId> batch, Find&& find, Compute& compute) {
  FoundLists lists;
  for (size_t i = 0; i < batch.size(); ++i) {
    lists[i] = find(batch[i]);
    __builtin_prefetch(lists[i].edges);
  }
  if constexpr (std::is_invocable_v<Compute&, absl::Span<const VertexId>,
                                    absl::Span<const VertexId>>) {
    DeliverFlat(batch, lists, compute);
    return true;
  }
  bool want_rest = true;
  for (size_t i = 0; i < batch.size(); ++i) {
    want_rest = DeliverList(batch[i], lists[i].neighbors(), lists[i].weights, compute);
  }
  return want_rest;
}

/// True of a compute that finds vertices whose lists it wants in the same walk if they are at hand:
/// compute.TakeFound(is_here) returns those found since the last call for which is_here(v), valid
/// until the next call, and leaves the others to a later walk.
template <typename Compute>
concept FindsVertices = requires(Compute& compute) {
  compute.TakeFound([](VertexId) { return true; });
};

/// Calls deliver(batch) for what compute has found of the vertices that are here, and for what it
/// finds in turn.
template <typename Compute, typename IsHere, typename Deliver>
void FollowFound(Compute& compute, const IsHere& is_here, Deliver&& deliver) {
  if constexpr (FindsVertices<Compute>) {
    for (;;) {
      const absl::Span<const VertexId> found = compute.TakeFound(is_here);
      if (found.empty()) return;
      for (size_t begin = 0; begin < found.size(); begin += VertexSubset::kBatch)
        deliver(found.subspan(begin, VertexSubset::kBatch));
    }
  }
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_DELIVER_LISTS_H_
