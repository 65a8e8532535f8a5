#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_HAND_OVER_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_HAND_OVER_H_

#include <algorithm>
#include <cstddef>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "compute_node/engine/list_receiver.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

/// How walks hand lists that they have found in local memory to a receiver.
namespace fargraph {

/// The list of v as it was found, with padding behind it.
inline FoundList WholeList(const EdgeLists& lists, VertexId v, const LocalList& list) {
  const EdgeOffset degree = lists.Degree(v);
  if (degree == 0 || list.edges == nullptr) return {};
  return {.edges = list.edges, .count = degree, .weights = list.weights, .padded = true};
}

/// The lists find(v) of a batch of vertices, which are asked for before the first is used.
template <typename Find>
bool HandOver(absl::Span<const VertexId> batch, Find&& find, ListReceiver& receiver) {
  FoundLists lists;
  for (size_t i = 0; i < batch.size(); ++i) {
    lists[i] = find(batch[i]);
    __builtin_prefetch(lists[i].edges);
  }
  return receiver.TakeBatch(batch, lists);
}

/// Calls hand_over(batch) for what the receiver has found of the vertices that are here, and for
/// what it finds in turn.
inline void FollowFound(ListReceiver& receiver, absl::FunctionRef<bool(VertexId)> is_here,
                        absl::FunctionRef<void(absl::Span<const VertexId>)> hand_over) {
  for (;;) {
    const absl::Span<const VertexId> found = receiver.TakeFound(is_here);
    if (found.empty()) return;
    for (size_t begin = 0; begin < found.size(); begin += VertexSubset::kBatch)
      hand_over(found.subspan(begin, VertexSubset::kBatch));
  }
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_HAND_OVER_H_
