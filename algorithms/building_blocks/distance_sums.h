#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_DISTANCE_SUMS_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_DISTANCE_SUMS_H_

#include <algorithm>
#include <cstdint>
#include <limits>

namespace fargraph {

/// How sums of one type of weights are held: distances < kTooFar <= kUnreached. A BucketOf tells
/// the bucket of a distance; buckets are as wide as its `delta`, but for what is rounded.
template <typename Weight>
struct SumsOf;

/// As unsigned numbers, of which int32 has those below kTooFar; kUnreached is its -1.
template <>
struct SumsOf<int32_t> {
  using Distance = uint32_t;
  static constexpr Distance kTooFar = Distance{1} << 31;
  static constexpr Distance kUnreached = ~Distance{0};

  static Distance Add(Distance distance, int32_t weight) {
    return std::min(distance + static_cast<Distance>(weight), kTooFar);
  }

  class BucketOf {
   public:
    explicit BucketOf(double delta)
        : per_unit_((uint64_t{1} << 32) /
                    static_cast<uint64_t>(std::clamp<double>(delta, 1, kTooFar))) {}
    uint64_t operator()(Distance distance) const { return distance * per_unit_ >> 32; }

   private:
    uint64_t per_unit_;  ///< in units of 2^-32, for a division would take longer
  };
};

template <>
struct SumsOf<float> {
  using Distance = float;
  static constexpr Distance kTooFar = std::numeric_limits<float>::infinity();
  static constexpr Distance kUnreached = kTooFar;

  static Distance Add(Distance distance, float weight) { return distance + weight; }

  class BucketOf {
   public:
    explicit BucketOf(double delta)
        : per_unit_(1 / std::clamp<double>(delta, std::numeric_limits<float>::min(),
                                           std::numeric_limits<float>::max())) {}
    uint64_t operator()(Distance distance) const {
      constexpr double kLast = uint64_t{1} << 62;
      return static_cast<uint64_t>(std::min(distance * per_unit_, kLast));
    }

   private:
    double per_unit_;
  };
};

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_DISTANCE_SUMS_H_
