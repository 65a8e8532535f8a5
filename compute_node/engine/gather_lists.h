#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_GATHER_LISTS_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_GATHER_LISTS_H_

#include <omp.h>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "compute_node/engine/edge_weights.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/list_values.h"
#include "compute_node/engine/sequential_array.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// Scans all lists with make_compute(values) of each thread, as ReceiverOf takes it; returns
/// the sum of what finish(first vertex, values) returns for each block of values, added up in the
/// same order whichever threads took part.
template <typename T, typename Finish, typename MakeCompute>
auto ScanForValues(Graph& graph, Direction direction, SequentialArray<T>& result,
                   const Finish& finish, MakeCompute&& make_compute)
    -> absl::StatusOr<typename ListValues<T, Finish>::Result> {
  using Result = typename ListValues<T, Finish>::Result;
  FARGRAPH_RETURN_IF_ERROR(graph.CheckHas(direction));
  const EdgeLists& lists = graph.Lists(direction);
  std::vector<Result> results(ListValues<T, Finish>::ResultsOf(lists));
  std::vector<ListValues<T, Finish>> values;
  for (size_t thread = 0; thread < result.threads(); ++thread) {
    values.emplace_back(result, lists, graph.chunk_cache(lists), finish, thread,
                        absl::MakeSpan(results));
  }
  absl::Status status = ScanLists(graph, direction, /*active=*/nullptr,
                                  [&] { return make_compute(values[omp_get_thread_num()]); });
  std::vector<absl::Status> ends(values.size());
#pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < values.size(); ++thread) ends[thread] = values[thread].End();
  for (absl::Status& end : ends) status.Update(std::move(end));
  if (!status.ok()) return status;
  Result sum = Result();
  for (const Result& of_chunk : results) sum += of_chunk;
  return sum;
}

/// What one thread does in GatherLists.
template <typename Values, typename Compute>
struct ListGatherer {
  Values& values;
  const Compute& compute;

  void operator()(const ListRun& run) requires
      std::is_invocable_v<const Compute&, const ListRun&, typename Values::Value*> {
    values.Make(run, compute);
  }
  void operator()(VertexId v, absl::Span<const VertexId> neighbors, const std::byte*) {
    compute(values.Of(v), neighbors);
  }
};

/// The same in GatherWeightedLists.
template <typename Weight, typename Values, typename Compute>
struct WeightedListGatherer {
  using Value = typename Values::Value;

  Values& values;
  const EdgeLists& lists;
  const Compute& compute;

  void operator()(const ListRun& run) requires
      std::is_invocable_v<const Compute&, const ListRun&, absl::Span<const Weight>, Value*> {
    values.Make(run, [this](const ListRun& part, Value* values_of_part) {
      TakeWeights<Weight>(lists, part.weights, part.edge_count(),
                          [&](auto weights) { compute(part, weights, values_of_part); });
    });
  }
  void operator()(VertexId v, absl::Span<const VertexId> neighbors, const std::byte* weights) {
    TakeWeights<Weight>(lists, weights, neighbors.size(),
                        [&](auto span) { compute(values.Of(v), neighbors, span); });
  }
};

/// What becomes of values that are left as they are.
struct Kept {
  template <typename T>
  Kept operator()(VertexId, absl::Span<T>) const {
    return {};
  }
  Kept& operator+=(const Kept&) { return *this; }
};

/// Makes of every neighbour list the value of its vertex in `result`, 0 for those without
/// neighbours: ForEachList over all vertices that calls compute(value, neighbours), to which value
/// is a T&, 0 at the beginning of a list, that no other thread looks at. If compute(run, values) is
/// there too, a ListRun and a T* of which it sets one value for each list, whole lists that lie one
/// behind the other come by that.
///
/// As soon as the values of a block of vertices are complete, finish(first vertex, values) is
/// called, which may change them; every vertex is in one block. Returns the sum of what it returns,
/// of a type that is zero at first and has +=, added up in the same order whichever threads took
/// part. Where `result` is far it is written behind the scan. Errors as in ForEachList.
template <typename T, typename Compute, typename Finish>
auto GatherLists(Graph& graph, Direction direction, SequentialArray<T>& result,
                 const Compute& compute, const Finish& finish) {
  return ScanForValues(graph, direction, result, finish, [&compute](auto& values) {
    return ListGatherer<std::decay_t<decltype(values)>, Compute>{values, compute};
  });
}

/// The same without `finish`.
template <typename T, typename Compute>
absl::Status GatherLists(Graph& graph, Direction direction, SequentialArray<T>& result,
                         const Compute& compute) {
  return GatherLists(graph, direction, result, compute, Kept()).status();
}

/// The same with compute(value, neighbours, weights) of lists that have weights, as in
/// ForEachWeightedList, and compute(run, weights, values) if that is there too.
template <typename Weight, typename T, typename Compute>
absl::Status GatherWeightedLists(Graph& graph, Direction direction, SequentialArray<T>& result,
                                 const Compute& compute) {
  FARGRAPH_RETURN_IF_ERROR(graph.CheckHas(direction));
  const EdgeLists& lists = graph.Lists(direction);
  const auto make_compute = [&](auto& values) {
    return WeightedListGatherer<Weight, std::decay_t<decltype(values)>, Compute>{values, lists,
                                                                                 compute};
  };
  return ScanForValues(graph, direction, result, Kept(), make_compute).status();
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_GATHER_LISTS_H_
