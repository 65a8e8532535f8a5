#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_SEQUENTIAL_ARRAY_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_SEQUENTIAL_ARRAY_H_

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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
/// block by block. Kernels see no difference. Calls come from outside of parallel regions, while
/// the graph lives; errors of far memory pass through.
template <typename T>
class SequentialArray {
 public:
  /// All `value`.
  static absl::StatusOr<SequentialArray> Make(Graph& graph, absl::string_view name, T value) {
    SequentialArray array(graph, name);
    if (!array.far_address_) {
      array.local_ = VertexArray<T>(graph.vertices(), value);
      return array;
    }
    const auto fill = [value](int, VertexId, absl::Span<T> values) { absl::c_fill(values, value); };
    FARGRAPH_RETURN_IF_ERROR(array.ForEachBlock(Pass::kWrite, fill));
    return array;
  }

  /// Calls body(thread, first vertex, values), which may change the values, for one block after the
  /// other, on all cores; the blocks of a thread in order, and those of the threads, from 0 to
  /// omp_get_max_threads(), one behind the other wherever the array lies.
  template <typename Body>
  absl::Status Update(Body&& body) {
    return ForEachBlock(Pass::kUpdate, body);
  }

  /// Gives the values away as a local array; if they are far they go into `room`, one value per
  /// vertex, so that no more memory is needed.
  absl::StatusOr<VertexArray<T>> Take(VertexArray<T> room) {
    if (!far_address_) return std::move(local_);
    FARGRAPH_RETURN_IF_ERROR(
        ForEachBlock(Pass::kRead, [&room](int, VertexId first, absl::Span<T> values) {
          absl::c_copy(values, room.data() + first);
        }));
    return room;
  }

 private:
  static constexpr size_t kBlock = BlockStream::kBlockBytes / sizeof(T);

  SequentialArray(Graph& graph, absl::string_view name)
      : far_state_(graph.far_state()), size_(graph.vertices()) {
    const auto found = far_state_.arrays.find(std::string(name));
    if (found != far_state_.arrays.end()) far_address_ = found->second;
  }

  template <typename Body>
  absl::Status ForEachBlock(Pass pass, Body&& body) {
    const size_t blocks = (size_ + kBlock - 1) / kBlock;
    size_t threads = omp_get_max_threads();
    if (far_address_) threads = std::min(threads, far_state_.streams.size());
    std::vector<absl::Status> statuses(threads);
#pragma omp parallel num_threads(threads)
    {
      const size_t thread = omp_get_thread_num(), team = omp_get_num_threads();
      const size_t begin = std::min(size_, blocks * thread / team * kBlock);
      const size_t end = std::min(size_, blocks * (thread + 1) / team * kBlock);
      statuses[thread] = far_address_ ? PassFar(pass, thread, begin, end, body)
                                      : PassLocal(thread, begin, end, body);
    }
    absl::Status status;
    for (absl::Status& of_thread : statuses) status.Update(std::move(of_thread));
    return status;
  }

  template <typename Body>
  absl::Status PassLocal(size_t thread, size_t begin, size_t end, Body& body) {
    for (; begin < end; begin += kBlock) {
      body(static_cast<int>(thread), static_cast<VertexId>(begin),
           absl::MakeSpan(local_.data() + begin, std::min(kBlock, end - begin)));
    }
    return absl::OkStatus();
  }

  template <typename Body>
  absl::Status PassFar(Pass pass, size_t thread, size_t begin, size_t end, Body& body) {
    BlockStream& stream = *far_state_.streams[thread];
    FARGRAPH_RETURN_IF_ERROR(
        stream.Begin(*far_address_ + begin * sizeof(T), (end - begin) * sizeof(T), pass));
    for (; begin < end; begin += kBlock) {
      FARGRAPH_ASSIGN_OR_RETURN(const absl::Span<std::byte> bytes, stream.Next());
      body(static_cast<int>(thread), static_cast<VertexId>(begin),
           absl::MakeSpan(reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)));
    }
    return stream.End();
  }

  FarState& far_state_;
  size_t size_;
  std::optional<uint64_t> far_address_;
  VertexArray<T> local_;
};

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
