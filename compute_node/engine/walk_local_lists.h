#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_WALK_LOCAL_LISTS_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_WALK_LOCAL_LISTS_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "compute_node/engine/edge_weights.h"
#include "compute_node/pipeline/list_cache.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// Calls compute(v, neighbours, weights) as ForEachWeightedList does, but at once, on this thread
/// and in the order of `vertices`, for those of them whose lists lie in local memory, or in `cache`
/// unless it is nullptr; the rest it appends to `others`. For steps that are too small to be worth
/// a scan, and between scans. Any thread may call.
template <typename Weight, typename Compute>
void WalkLocalLists(const EdgeLists& lists, const ListCache* cache,
                    absl::Span<const VertexId> vertices, Compute&& compute,
                    std::vector<VertexId>& others) {
  constexpr size_t kAhead = 4;  // two reads from memory, each so many lists before it is needed
  for (size_t i = 0; i < vertices.size(); ++i) {
    if (i + 2 * kAhead < vertices.size()) lists.PrefetchIndex(vertices[i + 2 * kAhead]);
    if (i + kAhead < vertices.size()) lists.PrefetchList(vertices[i + kAhead]);
    const VertexId v = vertices[i];
    const EdgeOffset degree = lists.Degree(v);
    if (degree == 0) continue;
    const LocalList list = cache == nullptr ? lists.FindLocal(v) : cache->Find(v);
    if (list.edges == nullptr) {
      others.push_back(v);
    } else if (list.weights == nullptr) {
      ComputeWithOnes<Weight>(v, absl::MakeConstSpan(list.edges, degree), compute);
    } else {
      TakeWeights<Weight>(lists, list.weights, degree, [&](auto weights) {
        compute(v, absl::MakeConstSpan(list.edges, degree), weights);
      });
    }
  }
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_WALK_LOCAL_LISTS_H_
