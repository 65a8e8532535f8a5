#ifndef FARGRAPH_COMPUTE_NODE_TIERS_FAR_SPACE_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_FAR_SPACE_H_

#include <cstddef>
#include <cstdint>

namespace fargraph {

/// The far tier's address space: segment number in the upper bits, offset in the segment in the
/// lower.
inline constexpr int kSegmentShift = 48;
inline constexpr uint64_t kSegmentSpan = uint64_t{1} << kSegmentShift;

inline size_t SegmentOf(uint64_t address) { return address >> kSegmentShift; }
inline uint64_t OffsetOf(uint64_t address) { return address & (kSegmentSpan - 1); }

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_FAR_SPACE_H_
