#include "compute_node/placement/far_set.h"

#include <bit>
#include <cmath>

namespace fargraph {
namespace {

uint64_t ReverseBits(uint64_t value, int width) {
  uint64_t reversed = 0;
  for (int bit = 0; bit < width; ++bit) reversed |= ((value >> bit) & 1) << (width - 1 - bit);
  return reversed;
}

}  // namespace

FarSet::FarSet(const ChunkTable& chunks, double far_ratio) : offset_(chunks.size(), kNotFar) {
  const double wanted =
      std::round(far_ratio * 1e6) / 1e6 * static_cast<double>(chunks.TotalBytes());
  const int width = std::bit_width(chunks.size());
  for (uint64_t i = 0; static_cast<double>(bytes_) < wanted; ++i) {
    const size_t chunk = ReverseBits(i, width);
    if (chunk >= chunks.size()) continue;
    offset_[chunk] = 0;
    bytes_ += chunks.ChunkBytes(chunk);
  }
  Pack(chunks);
}

FarSet FarSet::Without(const FarSet& other, const ChunkTable& chunks) const {
  FarSet rest = *this;
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    if (other.Contains(chunk)) rest.offset_[chunk] = kNotFar;
  }
  rest.Pack(chunks);
  return rest;
}

/// One chunk behind the other.
void FarSet::Pack(const ChunkTable& chunks) {
  bytes_ = 0;
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    if (!Contains(chunk)) continue;
    offset_[chunk] = bytes_;
    bytes_ += chunks.ChunkBytes(chunk);
  }
}

}  // namespace fargraph
