#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_FAR_SET_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_FAR_SET_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compute_node/placement/chunk_table.h"

namespace fargraph {

/// Which chunks of an edge array are far, and where each of them lies in the far bytes.
///
/// Chunks go far in an order of which any prefix is spread evenly over the array (SpreadOrder), so
/// a scan meets near and far chunks in turn; and the far sets of growing ratios contain each other,
/// so an upload made for one far ratio serves every job with a smaller one. Immutable.
class FarSet {
 public:
  /// Takes chunks in that order until at least `far_ratio` (0 to 1, in millionths, as it is in
  /// names of uploads) of all bytes are far, so that what stays local keeps within its share.
  FarSet(const ChunkTable& chunks, double far_ratio);

  /// Those of this set that are not in the other one, which this one contains.
  FarSet Without(const FarSet& other, const ChunkTable& chunks) const;

  bool Contains(size_t chunk) const { return offset_[chunk] != kNotFar; }
  /// Where a far chunk begins in the far bytes, which are packed in chunk order.
  uint64_t Offset(size_t chunk) const { return offset_[chunk]; }
  /// Sum of the far chunks.
  uint64_t bytes() const { return bytes_; }

 private:
  void Pack(const ChunkTable& chunks);

  static constexpr uint64_t kNotFar = ~uint64_t{0};
  std::vector<uint64_t> offset_;
  uint64_t bytes_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_FAR_SET_H_
