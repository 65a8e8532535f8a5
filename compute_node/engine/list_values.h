#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_LIST_VALUES_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_LIST_VALUES_H_

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "compute_node/engine/sequential_array.h"
#include "compute_node/pipeline/chunk_cache.h"
#include "compute_node/placement/edge_lists.h"
#include "graph/ids.h"

namespace fargraph {

/// One thread's way to the values of the lists that a full scan gives it: the engine's. The chunk
/// of a list is one thread's, and so are the values of all its vertices. They are made block by
/// block, in order; a block that is complete goes to `finish`, and where the array is far from
/// there on its way behind the scan.
template <typename T, typename Finish>
class alignas(64) ListValues {
 public:
  using Value = T;
  using Result = std::invoke_result_t<const Finish&, VertexId, absl::Span<T>>;

  /// The most values of a block.
  static constexpr size_t kBlock = SequentialArray<T>::kBlock;

  /// `results`: as many as ResultsOf, to which all threads add what `finish` returns.
  /// `cache`: of chunks of these lists; nullptr where there is none.
  ListValues(SequentialArray<T>& array, const EdgeLists& lists, const ChunkCache* cache,
             const Finish& finish, size_t thread, absl::Span<Result> results)
      : array_(array),
        lists_(lists),
        cache_(cache),
        chunks_(lists.chunks()),
        finish_(finish),
        threads_(array.threads()),
        stream_(array.stream(thread)),
        results_(results),
        next_unvisited_(thread) {}

  /// One of each chunk, and then of each block of vertices behind the last list, where a graph in
  /// degree order has many.
  static size_t ResultsOf(const EdgeLists& lists) {
    return lists.chunks().size() + (lists.vertices() - lists.end_of_lists() + kBlock - 1) / kBlock;
  }

  /// That of v, 0 when its list begins.
  T& Of(VertexId v) {
    if (v - first_ >= values_.size()) Open(v);
    return values_[v - first_];
  }

  /// Makes those of a chunk, block by block, which compute(ListRun, values) sets.
  template <typename Compute>
  void Make(const ListRun& run, const Compute& compute) {
    Result& result = results_[chunks_.Find(run.first_vertex)];
    const size_t size = std::min<size_t>(run.size(), lists_.end_of_lists() - run.first_vertex);
    for (size_t first = 0; first < size; first += kBlock) {
      const ListRun part = PartOf(run, first, std::min(kBlock, size - first));
      const absl::Span<T> values = Room(part.first_vertex, part.size());
      compute(part, values.data());
      result += finish_(part.first_vertex, values);
    }
    MakeUnvisited();
  }

  /// When the scan is over.
  absl::Status End() {
    EndChunk();
    while (MakeUnvisited()) {
    }
    for (LongList& list : long_lists_) Leave(list);
    return stream_ == nullptr ? absl::OkStatus() : stream_->End();
  }

 private:
  /// One that is a chunk of its own, and may come in pieces between which other chunks come.
  struct LongList {
    VertexId vertex = kNoVertex;
    T value{};
  };

  /// Some of the lists of a run.
  ListRun PartOf(const ListRun& run, size_t first, size_t count) const {
    const EdgeOffset edges_before = run.index[first] - run.index[0];
    return {.first_vertex = static_cast<VertexId>(run.first_vertex + first),
            .index = run.index.subspan(first, count + 1),
            .edges = run.edges + edges_before,
            .weights = lists_.WeightBehind(run.weights, edges_before)};
  }

  VertexId EndOf(size_t chunk) const {
    return std::min(chunks_.FirstVertex(chunk + 1), lists_.end_of_lists());
  }

  absl::Span<T> Room(VertexId first, size_t count) {
    if (stream_ == nullptr) return {array_.data() + first, count};
    const absl::Span<std::byte> room = stream_->Write(array_.AddressOf(first), count * sizeof(T));
    return {reinterpret_cast<T*>(room.data()), count};
  }

  /// Makes some of this thread's share of the values of vertices that no scan gets to: in chunks
  /// without edges, and behind the last list. Between chunks, so that at no time many come at once,
  /// while nothing is fetched. False when there are none left.
  bool MakeUnvisited() {
    while (next_unvisited_ < chunks_.size() && chunks_.ChunkBytes(next_unvisited_) > 0)
      next_unvisited_ += threads_;
    if (next_unvisited_ >= results_.size()) return false;
    const size_t i = std::exchange(next_unvisited_, next_unvisited_ + threads_);
    if (i < chunks_.size()) {
      BeginChunk(i);
      EndChunk();
      return true;
    }
    const VertexId first = lists_.end_of_lists() + (i - chunks_.size()) * kBlock;
    const absl::Span<T> values = Room(first, std::min<size_t>(kBlock, lists_.vertices() - first));
    absl::c_fill(values, T{});
    results_[i] += finish_(first, values);
    return true;
  }

  void Open(VertexId v) {
    if (v < first_ || v >= end_) {
      EndChunk();
      MakeUnvisited();
      const size_t chunk = chunks_.Find(v);
      if (EndOf(chunk) - chunks_.FirstVertex(chunk) == 1) {
        return OpenLong(v, long_lists_[IsAtHand(chunk)]);
      }
      BeginChunk(chunk);
    }
    while (v - first_ >= values_.size()) OpenNextBlock();
  }

  bool IsAtHand(size_t chunk) const {
    return lists_.Place(chunk).local != nullptr || (cache_ != nullptr && cache_->Has(chunk));
  }

  void BeginChunk(size_t chunk) {
    chunk_ = chunk;
    first_ = chunks_.FirstVertex(chunk);
    end_ = EndOf(chunk);
    values_ = {};
  }
  void EndChunk() {
    while (first_ < end_) OpenNextBlock();
  }

  /// Finishes the block that is open; at the end of a chunk none is open then.
  void OpenNextBlock() {
    if (!values_.empty()) results_[chunk_] += finish_(first_, values_);
    first_ += values_.size();
    values_ = {};
    if (first_ == end_) return;
    values_ = Room(first_, std::min<size_t>(end_ - first_, kBlock));
    absl::c_fill(values_, T{});
  }

  void OpenLong(VertexId v, LongList& list) {
    if (list.vertex != v) {
      Leave(list);
      list.vertex = v;
    }
    first_ = v;
    end_ = v;  // no block is open
    values_ = absl::MakeSpan(&list.value, 1);
  }

  void Leave(LongList& list) {
    if (list.vertex != kNoVertex) {
      const absl::Span<T> values = Room(list.vertex, 1);
      values[0] = list.value;
      results_[chunks_.Find(list.vertex)] += finish_(list.vertex, values);
    }
    list = {};
  }

  SequentialArray<T>& array_;
  const EdgeLists& lists_;
  const ChunkCache* const cache_;
  const ChunkTable& chunks_;
  const Finish& finish_;
  const size_t threads_;
  BlockStream* const stream_;  ///< nullptr where the array is local
  const absl::Span<Result> results_;
  size_t next_unvisited_;   ///< among the results, if not a chunk with edges
  size_t chunk_ = 0;        ///< whose blocks are being made
  VertexId end_ = 0;        ///< of it
  VertexId first_ = 0;      ///< of the values that are here
  absl::Span<T> values_;    ///< a block, or a long list's
  LongList long_lists_[2];  ///< of those that are fetched and of those at hand the last one
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_LIST_VALUES_H_
