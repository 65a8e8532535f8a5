#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_FOR_EACH_LIST_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_FOR_EACH_LIST_H_

#include <cstddef>
#include <optional>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "compute_node/engine/edge_weights.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/list_receiver.h"
#include "compute_node/engine/list_scan.h"
#include "compute_node/engine/list_walk.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// ForEachList where each thread has a compute of its own, which it gets from make_compute(), as
/// ReceiverOf takes it, for each part of the walk. `tails`: see ForEachChosenTail.
template <typename MakeCompute>
absl::Status ScanLists(Graph& graph, Direction direction, const VertexSubset* active,
                       MakeCompute&& make_compute,
                       std::optional<ListScan::ChosenTails> tails = std::nullopt,
                       std::optional<ListScan::Soon> soon = std::nullopt) {
  const auto on_thread = [&](absl::FunctionRef<void(ListReceiver&)> walk) {
    auto compute = make_compute();
    ReceiverOf receiver(compute);
    walk(receiver);
  };
  return WalkLists(graph, direction, active, tails, soon, on_thread);
}

/// What calls compute(v, neighbours), and compute(sources, targets) if it is there, as ReceiverOf
/// takes it.
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

/// ForEachList, without the first `skip` neighbours of every list, for those who have seen them in
/// the heads, and of vertices that are found on the way: choose(begin, end) adds to `chosen`, which
/// is not sparse, those of the vertices [begin, end) that want their lists. It is called once for
/// all vertices that have one, a part at a time and on any thread, right before the lists of that
/// part are asked for, while those of other parts are under way.
template <typename Choose, typename Compute>
absl::Status ForEachChosenTail(Graph& graph, Direction direction, const VertexSubset& chosen,
                               EdgeOffset skip, Choose&& choose, Compute&& compute) {
  return ScanLists(
      graph, direction, &chosen, [&] { return WithoutWeights(compute); },
      ListScan::ChosenTails{skip, choose});
}

/// Calls compute(v, neighbours) for every neighbour list of the vertices in `active` (all vertices
/// if nullptr) that is not empty, on all cores. A long list arrives in several pieces, in order and
/// on one thread, so that compute may accumulate into v without atomics. compute returns void, or a
/// bool: false when it has seen enough of this list. `soon`: where a small walk has to wait for a
/// part of its lists, it brings some of those that the next one will want as well.
///
/// FailedPrecondition when the direction is not loaded (Graph::Has); then there are no calls.
/// Cancelled when the user asked to stop; Unavailable, naming the memory node, when far memory
/// failed; of an SSD DataLoss or Internal, naming file or directory. The work is then incomplete,
/// and so is what compute has written.
template <typename Compute>
absl::Status ForEachList(Graph& graph, Direction direction, const VertexSubset* active,
                         Compute&& compute, std::optional<ListScan::Soon> soon = std::nullopt) {
  return ScanLists(
      graph, direction, active, [&] { return WithoutWeights(compute); },
      /*tails=*/std::nullopt, soon);
}

/// As ForEachList, of lists that the kernel reads as ListUse::kWeightedEdges: calls compute(v,
/// neighbours, weights) with spans of equal size, weights[i] being that of the edge to
/// neighbours[i]. Weight is float or int32_t, as the graph's weight_type says; what the span is of
/// may be narrower, so that compute takes it as auto. In a graph without weights every edge has
/// weight 1.
template <typename Weight, typename Compute>
absl::Status ForEachWeightedList(Graph& graph, Direction direction, const VertexSubset* active,
                                 Compute&& compute) {
  FARGRAPH_RETURN_IF_ERROR(graph.CheckHas(direction));
  const EdgeLists& lists = graph.Lists(direction);
  if (!lists.has_weights()) {
    const auto compute_with_ones = [&compute](VertexId v, absl::Span<const VertexId> neighbors,
                                              const std::byte*) {
      return ComputeWithOnes<Weight>(v, neighbors, compute);
    };
    return ScanLists(graph, direction, active, [&] { return compute_with_ones; });
  }
  const auto compute_weighted = [&](VertexId v, absl::Span<const VertexId> neighbors,
                                    const std::byte* weights) {
    return TakeWeights<Weight>(lists, weights, neighbors.size(),
                               [&](auto span) { return compute(v, neighbors, span); });
  };
  return ScanLists(graph, direction, active, [&] { return compute_weighted; });
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_FOR_EACH_LIST_H_
