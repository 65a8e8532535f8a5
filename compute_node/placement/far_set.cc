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
  const double wanted = far_ratio * static_cast<double>(chunks.TotalBytes());
  const auto distance = [wanted](uint64_t bytes) {
    return std::abs(static_cast<double>(bytes) - wanted);
  };

  const int width = std::bit_width(chunks.size());
  for (uint64_t i = 0; i < uint64_t{1} << width; ++i) {
    const size_t chunk = ReverseBits(i, width);
    if (chunk >= chunks.size()) continue;
    const uint64_t with_chunk = bytes_ + chunks.ChunkBytes(chunk);
    if (distance(with_chunk) >= distance(bytes_) && chunks.ChunkBytes(chunk) > 0) break;
    offset_[chunk] = 0;
    bytes_ = with_chunk;
  }

  uint64_t offset = 0;
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    if (!Contains(chunk)) continue;
    offset_[chunk] = offset;
    offset += chunks.ChunkBytes(chunk);
  }
}

}  // namespace fargraph
