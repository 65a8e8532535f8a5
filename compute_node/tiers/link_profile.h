#ifndef FARGRAPH_COMPUTE_NODE_TIERS_LINK_PROFILE_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_LINK_PROFILE_H_

#include <cstdint>

#include "absl/types/span.h"

namespace fargraph {

/// What the link to far memory can do with all threads of a job reading at once: the three
/// parameters of a model of it, and what it leaves to computing.
///
/// With d reads of s bytes in flight on each of t threads, the time between two reads' arrivals is
///
///     max(gap + s / bandwidth, (latency + s * t / bandwidth) / (d * t))
///
/// The second term is Hockney's latency + bytes / bandwidth, with a thread's share of the
/// bandwidth, over all reads in flight (Hockney, Parallel Computing 20(3), 1994); the first is what
/// the link carries however many there are, with LogGP's gap between requests (Alexandrov et al.,
/// SPAA 1995).
struct LinkProfile {
  uint32_t threads = 0;            ///< t
  double bytes_per_second = 0;     ///< bandwidth: of requests so large that the gap does not count
  double requests_per_second = 0;  ///< 1 / gap: of requests so small that their bytes do not count
  double read_seconds = 0;         ///< latency: of a read that is alone, without its bytes
  /// Of the time of all threads, while bytes come at the bandwidth, what goes into that: 1 where
  /// processors copy them, 0 where devices bring them and nothing else does.
  double processor_share = 0;

  /// True if nothing divides by zero that divides by its values.
  bool IsSound() const;

  /// True if a job that has read so much in that time was faster than the link is by this: it was
  /// measured while something else disturbed it.
  bool IsDisprovedBy(uint64_t bytes, double seconds) const;

  /// Between two arrivals, all threads together; `depth`: reads in flight on each thread.
  double SecondsPerRead(uint64_t bytes, uint32_t depth) const;

  /// The fewest reads of that size in flight on each thread with which the latency is hidden.
  uint32_t DepthFor(uint64_t bytes) const;

  /// What the planner should merge: reading a gap pays while that takes no longer than a request.
  uint64_t BreakEvenGapBytes() const;
  /// What it should not even look for: the link carries so much to a thread while that looks at a
  /// list.
  uint64_t NarrowGapBytes() const;
};

/// Two links that bring parts of the same bytes at once, `second_share` (0 to 1) of them the
/// second.
LinkProfile CombineLinks(const LinkProfile& first, const LinkProfile& second, double second_share);

/// What every thread keeps in flight.
struct ReadLoad {
  uint64_t bytes = 0;  ///< of a read
  uint32_t depth = 1;
  uint32_t queue_pairs = 1;  ///< to each memory node
};

/// A measurement.
struct LinkPoint {
  ReadLoad load;
  double reads_per_second = 0;  ///< of all threads together
};

/// The profile that is closest to the measurements by least squares of the relative errors: gap and
/// bandwidth from the fastest load of each size, then the latency from the loads with one read in
/// flight. Needs points of at least two sizes, both with depth 1.
LinkProfile FitLink(absl::Span<const LinkPoint> points, uint32_t threads);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_LINK_PROFILE_H_
