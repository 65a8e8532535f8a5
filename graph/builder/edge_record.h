#ifndef FARGRAPH_GRAPH_BUILDER_EDGE_RECORD_H_
#define FARGRAPH_GRAPH_BUILDER_EDGE_RECORD_H_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "graph/ids.h"

namespace fargraph {

using Uint128 = unsigned __int128;

/// An edge as one unsigned number, source in the highest bits, then target, then weight: ascending
/// numbers are edges by source, by target and by weight.
template <bool kWeighted>
class EdgeRecord {
 public:
  static constexpr int kIdBits = sizeof(VertexId) == 4 ? 32 : 48;
  static constexpr int kWeightBits = kWeighted ? 32 : 0;

  using Word = std::conditional_t<2 * kIdBits + kWeightBits <= 64, uint64_t, Uint128>;

  static Word Pack(uint64_t source, uint64_t target, uint32_t ordered_weight) {
    const Word ends = (Word{source} << kIdBits) | target;
    if constexpr (kWeighted) return (ends << kWeightBits) | ordered_weight;
    return ends;
  }
  static uint64_t Source(Word record) { return Ends(record) >> kIdBits; }
  static uint64_t Target(Word record) {
    return static_cast<uint64_t>(Ends(record)) & ((uint64_t{1} << kIdBits) - 1);
  }
  static uint32_t OrderedWeight(Word record) { return static_cast<uint32_t>(record); }
  /// Source and target without the weight: equal for duplicates.
  static Word Ends(Word record) { return record >> kWeightBits; }
};

/// One more than the largest number of vertices whose edges fit a record, none of which then is all
/// ones.
inline constexpr uint64_t kMaxRecordVertices = (uint64_t{1} << EdgeRecord<false>::kIdBits) - 1;

/// True of the bits of an int32 weight from 0 to 255.
constexpr bool FitsByte(uint32_t bits) { return bits <= std::numeric_limits<uint8_t>::max(); }

/// The bits of a weight as an unsigned number of the same order, and back. Floats are in IEEE 754
/// total order.
constexpr uint32_t OrderWeight(uint32_t bits, WeightType type) {
  constexpr uint32_t kSign = uint32_t{1} << 31;
  if (type == WeightType::kFloat32 && (bits & kSign) != 0) return ~bits;
  return bits ^ kSign;
}
constexpr uint32_t UnorderWeight(uint32_t ordered, WeightType type) {
  constexpr uint32_t kSign = uint32_t{1} << 31;
  if (type == WeightType::kFloat32 && (ordered & kSign) == 0) return ~ordered;
  return ordered ^ kSign;
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_EDGE_RECORD_H_
