#ifndef FARGRAPH_COMPUTE_NODE_TIERS_FAR_SPACE_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_FAR_SPACE_H_

#include <cstddef>
#include <cstdint>

namespace fargraph {

/// The address space of all that is not local: in the uppermost bit whether it is on an SSD, then
/// the segment's number there, and in the lower bits the offset in the segment.
inline constexpr int kSegmentShift = 48;
inline constexpr uint64_t kSegmentSpan = uint64_t{1} << kSegmentShift;

inline constexpr uint64_t kSsdSpace = uint64_t{1} << 63;

inline bool IsOnSsd(uint64_t address) { return (address & kSsdSpace) != 0; }
inline size_t SegmentOf(uint64_t address) { return (address & ~kSsdSpace) >> kSegmentShift; }
inline uint64_t OffsetOf(uint64_t address) { return address & (kSegmentSpan - 1); }

/// Sizes of gaps between wanted pieces, in bytes, for those who plan reads.
struct ReadGaps {
  uint64_t break_even = 0;  ///< up to here the pieces are rather read as one
  uint64_t narrow = 0;      ///< up to here that takes no longer than to look at a piece
};

/// By where the pieces lie.
struct FarGaps {
  ReadGaps on_memory_nodes;
  ReadGaps on_ssds;

  const ReadGaps& At(uint64_t address) const {
    return IsOnSsd(address) ? on_ssds : on_memory_nodes;
  }
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_FAR_SPACE_H_
