#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_NEXT_FRONTIER_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_NEXT_FRONTIER_H_

#include <omp.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "compute_node/placement/segment.h"
#include "graph/bitmap.h"
#include "graph/ids.h"

namespace fargraph {

/// The vertices that the threads of a step find, which are the frontier of the next one. While a
/// thread has found few it lists them, which needs no atomics; the others are bits that all share.
class NextFrontier {
 public:
  /// What one thread finds. Only that thread may call.
  class alignas(64) Part {
   public:
    void Add(VertexId v) {
      if (count_ < most_listed_) {
        listed_[count_++] = v;
      } else {
        bits_.Set(v);
        has_bits_ = true;
      }
    }

    /// Adds those of `vertices` for which is_new(i), called once for each in their order, says
    /// true. For callers who cannot foresee which these are: each is written into the list, and
    /// stays there if it is new.
    template <typename IsNew>
    void AddIf(absl::Span<const VertexId> vertices, const IsNew& is_new) {
      if (count_ + vertices.size() > most_listed_) {
        for (size_t i = 0; i < vertices.size(); ++i) {
          if (is_new(i)) Add(vertices[i]);
        }
        return;
      }
      size_t count = count_;
      for (size_t i = 0; i < vertices.size(); ++i) {
        listed_[count] = vertices[i];
        count += is_new(i);
      }
      count_ = count;
    }

   private:
    friend class NextFrontier;
    Part(Bitmap& bits, size_t most_listed)
        : bits_(bits),
          most_listed_(most_listed),
          listed_(std::make_unique_for_overwrite<VertexId[]>(most_listed)) {}

    absl::Span<const VertexId> listed() const { return {listed_.get(), count_}; }

    Bitmap& bits_;
    size_t most_listed_;
    std::unique_ptr<VertexId[]> listed_;  ///< the first `count_` of them
    size_t count_ = 0;
    bool has_bits_ = false;  ///< found some that are not listed
  };

  explicit NextFrontier(VertexId vertices);
  NextFrontier(const NextFrontier&) = delete;
  NextFrontier& operator=(const NextFrontier&) = delete;

  /// What is held at most, for Kernel::Segments.
  static DataSegment Segment(uint64_t vertices);

  /// That of the calling OpenMP thread.
  Part& part() { return parts_[omp_get_thread_num()]; }

  /// Calls visit(span) with what the parts have found so far, without what is bits. While no thread
  /// finds more.
  template <typename Visit>
  void VisitListed(Visit&& visit) const {
    for (const Part& part : parts_) visit(part.listed());
  }

  /// The shared bits, for a step that finds vertices by setting theirs, and not by parts.
  Bitmap& bits() { return bits_; }

  /// All that the parts found, or was found by bits. The next step begins anew. While no thread
  /// finds more.
  VertexSubset Take();
  VertexSubset TakeBits();

 private:
  Bitmap bits_;  ///< clear between steps
  std::vector<Part> parts_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_NEXT_FRONTIER_H_
