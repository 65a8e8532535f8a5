#ifndef FARGRAPH_GRAPH_STRIPING_STRIPES_H_
#define FARGRAPH_GRAPH_STRIPING_STRIPES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fargraph {

/// How an array is spread over several memory nodes or SSDs: stripe s lies on part s % parts.
inline constexpr uint64_t kStripeBytes = uint64_t{256} << 10;

/// A run of an array that is contiguous on one part.
struct StripeRun {
  size_t part = 0;
  uint64_t offset = 0;  ///< within the part
  uint64_t length = 0;
};

/// The longest run that begins at `offset` of the array and has at most `length` bytes.
inline StripeRun FirstRun(uint64_t offset, uint64_t length, size_t parts) {
  if (parts == 1) return {.part = 0, .offset = offset, .length = length};
  const uint64_t stripe = offset / kStripeBytes;
  const uint64_t within = offset % kStripeBytes;
  return {.part = stripe % parts,
          .offset = stripe / parts * kStripeBytes + within,
          .length = std::min(length, kStripeBytes - within)};
}

/// Bytes that every part has room for, of an array of `bytes`; at least one stripe, so that no part
/// is empty.
inline uint64_t PartBytes(uint64_t bytes, size_t parts) {
  if (parts == 1) return bytes;
  const uint64_t stripes = (bytes + kStripeBytes - 1) / kStripeBytes;
  return std::max<uint64_t>(1, (stripes + parts - 1) / parts) * kStripeBytes;
}

/// Bytes of it that lie on one of them.
inline uint64_t BytesOnPart(uint64_t bytes, size_t parts, size_t part) {
  const uint64_t whole = bytes / kStripeBytes;
  const uint64_t last = whole % parts == part ? bytes % kStripeBytes : 0;
  return (whole / parts + (part < whole % parts ? 1 : 0)) * kStripeBytes + last;
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_STRIPING_STRIPES_H_
