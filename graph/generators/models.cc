#include "graph/generators/models.h"

#include <cmath>

namespace fargraph {
namespace {

// A probability in units of 2^-32.
uint64_t Fixed32(double probability) {
  return static_cast<uint64_t>(std::llround(std::ldexp(probability, 32)));
}

}  // namespace

VertexScrambler::VertexScrambler(int scale, uint64_t seed)
    : mask_((uint64_t{1} << scale) - 1), shift_((scale + 1) / 2) {
  CounterRandom random(seed, ~uint64_t{0});  // the number of no edge
  offset_ = random.Next();
  for (uint64_t& factor : factors_) factor = random.Next() | 1;
}

RecursiveMatrixModel::RecursiveMatrixModel(int scale, uint64_t seed, double a, double b, double c)
    : scale_(scale),
      seed_(seed),
      upper_left_end_(Fixed32(a)),
      upper_end_(Fixed32(a + b)),
      lower_left_end_(Fixed32(a + b + c)) {}

SmallWorldModel::SmallWorldModel(int scale, uint64_t degree, uint64_t seed, double rewire)
    : vertices_(uint64_t{1} << scale),
      degree_(degree),
      seed_(seed),
      rewire_below_(Fixed32(rewire)) {}

}  // namespace fargraph
