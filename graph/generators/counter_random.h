#ifndef FARGRAPH_GRAPH_GENERATORS_COUNTER_RANDOM_H_
#define FARGRAPH_GRAPH_GENERATORS_COUNTER_RANDOM_H_

#include <cstdint>

#include "common/mix_bits.h"

namespace fargraph {

/// Random numbers that are a function of seed, edge and position alone, so that any thread can make
/// any edge: SplitMix64, begun anew for every edge.
class CounterRandom {
 public:
  CounterRandom(uint64_t seed, uint64_t edge)
      : state_(SplitMix64(seed) ^ MixBits(edge * kSplitMixGamma)) {}

  /// 64 random bits.
  uint64_t Next() { return MixBits(state_ += kSplitMixGamma); }

  /// A number below `limit`, with a bias of less than limit / 2^64.
  uint64_t Below(uint64_t limit) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * limit) >> 64);
  }

 private:
  uint64_t state_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_GENERATORS_COUNTER_RANDOM_H_
