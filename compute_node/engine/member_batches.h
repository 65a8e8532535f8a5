#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_MEMBER_BATCHES_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_MEMBER_BATCHES_H_

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "graph/ids.h"

namespace fargraph {

/// The vertices of a step, handed out in batches to the threads of a team. Each has a part of the
/// list for itself, and when that is done helps with those of others. What the threads of the last
/// step found lies in the list one behind the other, so each goes on where it was, and threads
/// rarely write where another one does.
class MemberBatches {
 public:
  static constexpr size_t kBatch = VertexSubset::kBatch;

  /// For a team of `threads`; the list outlives it.
  MemberBatches(absl::Span<const VertexId> members, int threads)
      : members_(members), parts_(std::max(threads, 1)) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].next = members.size() * i / parts_.size();
      parts_[i].end = members.size() * (i + 1) / parts_.size();
    }
  }

  /// The next batch for the calling thread; none when there are none left. Any thread may call.
  absl::Span<const VertexId> Take() {
    const size_t own = omp_get_thread_num() % parts_.size();
    for (size_t i = 0; i < parts_.size(); ++i) {
      Part& part = parts_[(own + i) % parts_.size()];
      if (part.next.load(std::memory_order_relaxed) >= part.end) continue;
      const size_t begin = part.next.fetch_add(kBatch, std::memory_order_relaxed);
      if (begin < part.end) return members_.subspan(begin, std::min(kBatch, part.end - begin));
    }
    return {};
  }

 private:
  struct alignas(64) Part {
    std::atomic<size_t> next = 0;
    size_t end = 0;
  };

  absl::Span<const VertexId> members_;
  std::vector<Part> parts_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_MEMBER_BATCHES_H_
