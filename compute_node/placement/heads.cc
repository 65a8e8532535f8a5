#include "compute_node/placement/heads.h"

namespace fargraph {

Heads::Hits Heads::Probe(size_t j, VertexId first, uint64_t vertices, const Bitmap& set) const {
  const absl::Span<const VertexId> column = columns_[j];
  Hits result;
  ForEachBit(vertices, [&](int bit) {
    const VertexId v = first + bit;
    const VertexId neighbor = v < column.size() ? column[v] : kNoVertex;
    const bool ended = neighbor == kNoVertex;
    result.ended |= uint64_t{ended} << bit;
    const bool hit = !ended & set.Test(ended ? 0 : neighbor);
    result.hits |= uint64_t{hit} << bit;
  });
  return result;
}

}  // namespace fargraph
