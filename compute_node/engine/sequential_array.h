#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_SEQUENTIAL_ARRAY_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_SEQUENTIAL_ARRAY_H_

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "compute_node/engine/graph.h"
#include "compute_node/pipeline/far_state.h"
#include "compute_node/placement/segment.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"

namespace fargraph {

/// One value per vertex that a kernel touches in order only, so that it need not be local: local,
/// or far if the plan says so of the segment of that name, and then brought here and written back
/// block by block, by ForEachBlock or GatherLists. Kernels see no difference. Calls come from
/// outside of parallel regions, while the graph lives; errors of far memory pass through.
template <typename T>
class SequentialArray {
 public:
  using value_type = T;

  /// The values of a block.
  static constexpr size_t kBlock = BlockStream::kBlockBytes / sizeof(T);

  /// All `value`, which those of the vertices from `end` on keep: nobody touches them.
  static absl::StatusOr<SequentialArray> Make(Graph& graph, absl::string_view name, T value,
                                              VertexId end);
  static absl::StatusOr<SequentialArray> Make(Graph& graph, absl::string_view name, T value) {
    return Make(graph, name, value, graph.vertices());
  }

  size_t size() const { return size_; }

  /// Exchanges the values with those of a local array, one per vertex. Of values that are far the
  /// other array gets a copy, and what it held is lost.
  absl::Status Exchange(VertexArray<T>& other);

  /// Gives the values away as a local array; if they are far they go into `room`, one value per
  /// vertex, so that no more memory is needed. It holds those of the vertices from `end` on.
  absl::StatusOr<VertexArray<T>> Take(VertexArray<T> room);

  // For the engine:

  size_t threads() const { return far_ == nullptr ? omp_get_max_threads() : far_->streams.size(); }
  /// That of one thread; nullptr where the array is local.
  BlockStream* stream(size_t thread) const {
    return far_ == nullptr ? nullptr : far_->streams[thread].get();
  }
  /// Of a value in the tier, where the array is far.
  uint64_t AddressOf(size_t i) const { return far_->address + i * sizeof(T); }
  /// Where the array is local.
  T* data() { return local_.data(); }
  const T* data() const { return local_.data(); }

 private:
  SequentialArray(Graph& graph, absl::string_view name, VertexId end)
      : size_(end), far_(graph.far_state().Find(name)) {}

  size_t size_;
  FarArray* far_;  ///< the graph's; nullptr where the array is local
  VertexArray<T> local_;
};

/// One thread's pass over the values [begin, end) of a SequentialArray, which is const if they are
/// only read: the engine's.
template <typename Array>
class BlockWalk {
 public:
  using Value = std::conditional_t<std::is_const_v<Array>, const typename Array::value_type,
                                   typename Array::value_type>;

  /// `pass`: Pass::kRead of a const array.
  BlockWalk(Array& array, Pass pass, size_t thread, size_t begin, size_t end)
      : array_(array), pass_(pass), stream_(array.stream(thread)), begin_(begin), end_(end) {}

  absl::Status Begin() {
    if (stream_ == nullptr) return absl::OkStatus();
    return stream_->Begin(array_.AddressOf(begin_), (end_ - begin_) * sizeof(Value), pass_);
  }
  absl::StatusOr<absl::Span<Value>> Next() {
    const size_t first = std::exchange(begin_, begin_ + Array::kBlock);
    if (stream_ == nullptr) {
      return absl::MakeSpan(array_.data() + first, std::min(Array::kBlock, end_ - first));
    }
    FARGRAPH_ASSIGN_OR_RETURN(const absl::Span<std::byte> bytes, stream_->Next());
    return absl::MakeSpan(reinterpret_cast<Value*>(bytes.data()), bytes.size() / sizeof(Value));
  }
  absl::Status End() { return stream_ == nullptr ? absl::OkStatus() : stream_->End(); }

 private:
  Array& array_;
  const Pass pass_;
  BlockStream* const stream_;
  size_t begin_;
  const size_t end_;
};

/// One thread's part of ForEachBlock: the blocks of [begin, end).
template <typename Body, typename... Walks>
absl::Status WalkBlocks(size_t thread, size_t begin, size_t end, size_t block, Body& body,
                        Walks... walks) {
  absl::Status status;
  (status.Update(walks.Begin()), ...);
  for (; begin < end && status.ok(); begin += block) {
    auto blocks = std::make_tuple(walks.Next()...);
    std::apply(
        [&](auto&... values) {
          (status.Update(values.status()), ...);
          if (status.ok()) body(static_cast<int>(thread), static_cast<VertexId>(begin), *values...);
        },
        blocks);
  }
  if (status.ok()) (status.Update(walks.End()), ...);
  return status;
}

/// ForEachBlock, where `pass` says what becomes of the arrays that are not const.
template <typename Body, typename... Arrays>
absl::Status PassOverBlocks(Pass pass, Body& body, Arrays&... arrays) {
  const size_t block = std::max({Arrays::kBlock...});
  const size_t size = std::max({arrays.size()...});
  const size_t blocks = (size + block - 1) / block;
  const size_t threads = std::min({arrays.threads()...});
  std::vector<absl::Status> statuses(threads);
#pragma omp parallel num_threads(threads)
  {
    const size_t thread = omp_get_thread_num(), team = omp_get_num_threads();
    const size_t begin = std::min(size, blocks * thread / team * block);
    const size_t end = std::min(size, blocks * (thread + 1) / team * block);
    statuses[thread] =
        WalkBlocks(thread, begin, end, block, body,
                   BlockWalk<Arrays>(arrays, std::is_const_v<Arrays> ? Pass::kRead : pass, thread,
                                     begin, end)...);
  }
  absl::Status status;
  for (absl::Status& of_thread : statuses) status.Update(std::move(of_thread));
  return status;
}

/// Calls body(thread, first vertex, values of each array...) for one block of vertices after the
/// other, on all cores: the blocks of a thread in order, and those of the threads, from 0 to
/// omp_get_max_threads(), one behind the other wherever the arrays lie. The body may change the
/// values of those arrays that are not const; the others it only reads. The arrays are of one graph
/// and of values of one size.
template <typename Body, typename... Arrays>
absl::Status ForEachBlock(Body&& body, Arrays&... arrays) {
  static_assert(std::max({Arrays::kBlock...}) == std::min({Arrays::kBlock...}));
  return PassOverBlocks(Pass::kUpdate, body, arrays...);
}

template <typename T>
absl::StatusOr<SequentialArray<T>> SequentialArray<T>::Make(Graph& graph, absl::string_view name,
                                                            T value, VertexId end) {
  SequentialArray array(graph, name, end);
  if (array.far_ == nullptr) {
    const size_t size = graph.vertices();
    array.local_ = value == T{} ? VertexArray<T>::Zeros(size, end) : VertexArray<T>(size, value);
    return array;
  }
  const auto fill = [value](int, VertexId, absl::Span<T> values) { absl::c_fill(values, value); };
  FARGRAPH_RETURN_IF_ERROR(PassOverBlocks(Pass::kWrite, fill, array));
  return array;
}

template <typename T>
absl::Status SequentialArray<T>::Exchange(VertexArray<T>& other) {
  if (far_ == nullptr) {
    std::swap(local_, other);
    return absl::OkStatus();
  }
  const auto copy = [&other](int, VertexId first, absl::Span<const T> values) {
    absl::c_copy(values, other.data() + first);
  };
  return ForEachBlock(copy, std::as_const(*this));
}

template <typename T>
absl::StatusOr<VertexArray<T>> SequentialArray<T>::Take(VertexArray<T> room) {
  FARGRAPH_RETURN_IF_ERROR(Exchange(room));
  return room;
}

/// Such an array as a segment of a job.
template <typename T>
DataSegment SequentialSegment(std::string name, uint64_t vertices) {
  DataSegment segment = VertexSegment<T>(std::move(name), vertices, kSequentialReadWrite);
  segment.residence = Residence::kFarIfShort;
  segment.buffer_bytes = omp_get_max_threads() * BlockStream::kRingBytes;
  return segment;
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_SEQUENTIAL_ARRAY_H_
