#include "compute_node/placement/far_set.h"

#include <cmath>

#include "compute_node/placement/spread_order.h"

namespace fargraph {
FarSet::FarSet(const ChunkTable& chunks, double far_ratio) : offset_(chunks.size(), kNotFar) {
  const double wanted =
      std::round(far_ratio * 1e6) / 1e6 * static_cast<double>(chunks.TotalBytes());
  for (const size_t chunk : SpreadOrder(chunks.size())) {
    if (static_cast<double>(bytes_) >= wanted) break;
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
