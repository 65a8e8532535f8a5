#ifndef FARGRAPH_COMMON_MIX_BITS_H_
#define FARGRAPH_COMMON_MIX_BITS_H_

#include <cstdint>

namespace fargraph {

/// A bijection of 64-bit numbers whose every output bit depends on every input bit: the finalizer
/// of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
constexpr uint64_t MixBits(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/// What the state of that generator grows by with every number.
inline constexpr uint64_t kSplitMixGamma = 0x9e3779b97f4a7c15;

/// The first number of SplitMix64 with that seed.
constexpr uint64_t SplitMix64(uint64_t seed) { return MixBits(seed + kSplitMixGamma); }

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_MIX_BITS_H_
