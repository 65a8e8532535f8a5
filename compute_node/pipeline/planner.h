#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_PLANNER_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_PLANNER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace fargraph {

/// A run of bytes within a piece of an edge array.
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// What a tier's link asks of the planner; measured when the link is made.
struct RequestShape {
  uint64_t block_bytes =
      512;  ///< requests begin and end on multiples of it, but for the piece's own end
  uint64_t break_even_gap_bytes = 0;   ///< a gap that is cheaper to read than to split at
  uint64_t largest_request_bytes = 0;  ///< a longer run is split
};

/// Turns the byte ranges that an iteration needs of one piece into few requests: marking blocks in
/// a bitmap sorts and deduplicates them, and a scan merges runs whose gap is below the link's
/// break-even gap. After Graphene (FAST '17, section 4), with the bitmap confined to the piece.
/// Used by one thread; allocates only when it is made.
class Planner {
 public:
  /// For pieces of up to `piece_bytes`.
  Planner(const RequestShape& shape, uint64_t piece_bytes);

  /// Asks for the bytes [begin, end) of the piece.
  void Mark(uint64_t begin, uint64_t end);

  /// The requests that bring every marked byte of a piece of `piece_bytes`: ascending, disjoint,
  /// valid until the next call. Clears the marks.
  absl::Span<const ByteRange> Take(uint64_t piece_bytes);
  /// The requests that bring the whole piece: a full scan has no use for marks.
  absl::Span<const ByteRange> TakeAll(uint64_t piece_bytes);

 private:
  /// The first block at or after `block` whose mark is `marked`; block_count if there is none.
  uint64_t FindBlock(uint64_t block, bool marked, uint64_t block_count) const;
  void AddRun(uint64_t begin, uint64_t end);

  RequestShape shape_;
  std::vector<uint64_t> marks_;
  std::vector<ByteRange> requests_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_PLANNER_H_
