#ifndef FARGRAPH_GRAPH_EDGE_HASH_H_
#define FARGRAPH_GRAPH_EDGE_HASH_H_

#include <cstdint>

#include "common/mix_bits.h"

namespace fargraph {

/// A hash of an edge. Equal edges in any order have equal sums of hashes; other edges have them by
/// one chance in 2^64, unless somebody chose them to.
constexpr uint64_t EdgeHash(uint64_t source, uint64_t target, uint32_t weight_bits) {
  return MixBits(source + MixBits(target + MixBits(weight_bits)));
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_EDGE_HASH_H_
