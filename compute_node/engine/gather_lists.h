#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_GATHER_LISTS_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_GATHER_LISTS_H_

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "compute_node/engine/graph.h"
#include "compute_node/engine/list_scan.h"
#include "compute_node/engine/sequential_array.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// One thread's way to the values of the lists that a full scan gives it: the engine's. The chunk
/// of a list is one thread's, and so are the values of its vertices; where they are far they are
/// made here and written behind the scan.
template <typename T>
class alignas(64) ListValues {
 public:
  ListValues(SequentialArray<T>& array, const EdgeLists& lists, size_t thread)
      : array_(array), lists_(lists), stream_(array.stream(thread)) {}

  /// That of v, 0 when its list begins.
  T& Of(VertexId v) {
    if (v - first_ >= size_) Open(v);
    return values_[v - first_];
  }

  /// Those of a few whole lists, at most kMostAtOnce, for the caller to set.
  static constexpr size_t kMostAtOnce = SequentialArray<T>::kBlock;
  T* Of(const ListRun& run) {
    size_ = 0;
    return Room(run.first_vertex, run.size());
  }

  /// When the scan is over.
  absl::Status End() {
    for (LongList& list : long_lists_) Leave(list);
    return stream_ == nullptr ? absl::OkStatus() : stream_->End();
  }

 private:
  /// One that is a chunk of its own, and may come in pieces between which others come.
  struct LongList {
    VertexId vertex = kNoVertex;
    T value{};
  };

  T* Room(VertexId first, size_t count) {
    if (stream_ == nullptr) return array_.data() + first;
    return reinterpret_cast<T*>(stream_->Write(array_.AddressOf(first), count * sizeof(T)).data());
  }

  void Open(VertexId v) {
    const ChunkTable& chunks = lists_.chunks();
    const size_t chunk = chunks.Find(v);
    first_ = v;
    if (lists_.Stored(v, chunk).begin == chunks.FirstEdge(chunk) &&
        lists_.Stored(v, chunk).end == chunks.FirstEdge(chunk + 1)) {
      OpenLong(v, long_lists_[lists_.Place(chunk).local == nullptr]);
      return;
    }
    size_ = std::min<size_t>(chunks.FirstVertex(chunk + 1) - v, kMostAtOnce);
    values_ = Room(v, size_);
    std::fill_n(values_, size_, T{});
  }

  void OpenLong(VertexId v, LongList& list) {
    if (list.vertex != v) {
      Leave(list);
      list.vertex = v;
    }
    size_ = 1;
    values_ = &list.value;
  }

  void Leave(LongList& list) {
    if (list.vertex != kNoVertex) *Room(list.vertex, 1) = list.value;
    list = {};
  }

  SequentialArray<T>& array_;
  const EdgeLists& lists_;
  BlockStream* const stream_;  ///< nullptr where the array is local
  VertexId first_ = 0;         ///< of the values that are here
  size_t size_ = 0;
  T* values_ = nullptr;
  LongList long_lists_[2];  ///< of the local and of the far ones the last one
};

/// Scans all lists with make_compute(values) of each thread, as ListScan::Work takes it.
template <typename T, typename MakeCompute>
absl::Status ScanForValues(Graph& graph, Direction direction, SequentialArray<T>& result,
                           MakeCompute&& make_compute) {
  std::vector<ListValues<T>> values;
  for (size_t thread = 0; thread < result.threads(); ++thread) {
    values.emplace_back(result, graph.Lists(direction), thread);
  }
  absl::Status status = ScanLists(graph, direction, /*active=*/nullptr, /*skip=*/0,
                                  [&] { return make_compute(values[omp_get_thread_num()]); });
  for (ListValues<T>& of_thread : values) status.Update(of_thread.End());
  return status;
}

/// Some of the lists of a run.
inline ListRun PartOf(const ListRun& run, size_t first, size_t count) {
  return {.first_vertex = static_cast<VertexId>(run.first_vertex + first),
          .index = run.index.subspan(first, count + 1),
          .edges = run.edges + (run.index[first] - run.index[0])};
}

/// What one thread does in GatherLists.
template <typename T, typename Compute>
struct ListGatherer {
  ListValues<T>& values;
  const Compute& compute;

  void operator()(
      const ListRun& run) requires std::is_invocable_v<const Compute&, const ListRun&, T*> {
    constexpr size_t kMost = ListValues<T>::kMostAtOnce;
    for (size_t first = 0; first < run.size(); first += kMost) {
      const ListRun part = PartOf(run, first, std::min(kMost, run.size() - first));
      compute(part, values.Of(part));
    }
  }
  void operator()(VertexId v, absl::Span<const VertexId> neighbors, const std::byte*) {
    compute(values.Of(v), neighbors);
  }
};

/// Makes of every neighbour list the value of its vertex in `result`, which holds zeros for those
/// without neighbours: ForEachList over all vertices that calls compute(value, neighbours), to
/// which value is a T&, 0 at the beginning of a list, that no other thread looks at. If
/// compute(run, values) is there too, a ListRun and a T* of which it sets one value for each list,
/// whole lists that lie one behind the other come by that. Where `result` is far it is written
/// behind the scan. Errors as in ForEachList.
template <typename T, typename Compute>
absl::Status GatherLists(Graph& graph, Direction direction, SequentialArray<T>& result,
                         const Compute& compute) {
  return ScanForValues(graph, direction, result, [&compute](ListValues<T>& values) {
    return ListGatherer<T, Compute>{values, compute};
  });
}

/// The same with compute(value, neighbours, weights) of lists that have weights, of this type.
template <typename Weight, typename T, typename Compute>
absl::Status GatherWeightedLists(Graph& graph, Direction direction, SequentialArray<T>& result,
                                 const Compute& compute) {
  return ScanForValues(graph, direction, result, [&compute](ListValues<T>& values) {
    return [&](VertexId v, absl::Span<const VertexId> neighbors, const std::byte* weights) {
      compute(values.Of(v), neighbors,
              absl::MakeConstSpan(reinterpret_cast<const Weight*>(weights), neighbors.size()));
    };
  });
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_GATHER_LISTS_H_
