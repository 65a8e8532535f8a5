#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_EDGE_WEIGHTS_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_EDGE_WEIGHTS_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "absl/types/span.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

/// How weights are handed to what computes on them.
namespace fargraph {

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

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_EDGE_WEIGHTS_H_
