#ifndef FARGRAPH_COMPUTE_NODE_TIERS_LINK_SWEEP_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_LINK_SWEEP_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "compute_node/tiers/link_profile.h"

namespace fargraph {

/// The smallest read of all, for the gap between requests.
inline constexpr uint64_t kLeastReadBytes = 512;

inline constexpr uint64_t kLeastChunkBytes = uint64_t{4} << 10;
inline constexpr uint64_t kLargestChunkBytes = uint64_t{4} << 20;

/// Which of these a user may choose: in any, edges and weights of a byte each are aligned.
inline bool IsChunkSize(uint64_t bytes) {
  return bytes >= kLeastChunkBytes && bytes <= kLargestChunkBytes && bytes % 1024 == 0;
}

inline constexpr uint32_t kMostSlots = 128;
inline constexpr uint32_t kMostQueuePairs = 4;

/// How a job reads far chunks over a link.
struct LinkTuning {
  uint64_t chunk_bytes = 0;  ///< IsChunkSize; a power of two where nobody has chosen it
  uint32_t slots = 0;  ///< per thread, 1 to kMostSlots: SlotsFor as many reads as are in flight
  uint32_t queue_pairs = 1;  ///< per thread and memory node, 1 to kMostQueuePairs
};

/// The slots of a thread that keeps `depth` reads in flight. It computes on one, and two that have
/// arrived may wait, since a thread asks for more only when it is done with a chunk. Measured:
/// PageRank from an SSD by 256 KiB with a depth of 1 takes 1.15 times as long with two slots as
/// with four.
///
/// A device may end all reads at once, and has nothing to do until it is asked for others: for
/// these as many slots are free. Measured: PageRank from an SSD by 512 KiB, 12 in flight, takes 1.2
/// times as long with 15 slots as with 26.
uint32_t SlotsFor(uint32_t depth, bool is_device = false);

/// The reads in flight that SlotsFor gives so many slots; 0 of a single slot.
uint32_t DepthWith(uint32_t slots, bool is_device = false);

/// What was measured of a link, what that says of it, and what follows from it.
struct LinkSweep {
  std::vector<LinkPoint> points;  ///< ascending by size, depth and queue pairs
  LinkProfile profile;
  LinkTuning tuning;
  bool is_device = false;              ///< as in SweepLimits
  uint64_t least_bytes_in_flight = 0;  ///< as in SweepLimits
};

/// Reads per second of all threads under a load; nullopt when the time for measuring is over.
using MeasureReads = std::function<absl::StatusOr<std::optional<double>>(const ReadLoad&)>;

struct SweepLimits {
  uint32_t threads = 1;
  uint64_t largest_read_bytes = kLargestChunkBytes;
  uint64_t ring_bytes = 0;                      ///< of one thread: no load has more in flight
  uint64_t least_read_bytes = kLeastReadBytes;  ///< below the smallest chunk
  uint64_t least_tuned_bytes = 64 << 10;        ///< smaller chunks are not chosen
  bool is_device = false;
  /// Of a thread: a tuning keeps so much in flight, up to a depth of 32, even if less is as fast.
  uint64_t least_bytes_in_flight = 0;
  bool in_background = true;  ///< as FarTier::reads_in_background; if not, one slot is enough
};

/// Finds the tuning for a link in a few dozen measurements: sizes by powers of four and, for each,
/// depths by powers of two, until neither brings more; then the sizes on both sides of the best;
/// then again what came close to it, of which the best counts, since disturbances only slow reads
/// down; then more queue pairs.
///
/// The chunk is the smallest of those allowed that is within 5% of the best, so that threads share
/// work evenly and rings stay in the cache. What counts is the time for its bytes over the link and
/// through the engine, where each chunk costs a fixed time too, whatever the link. The depth is the
/// least within 5% of what reads of that size reach.
///
/// Errors of `measure` pass through; DeadlineExceeded when the time was over before there were
/// enough measurements to conclude from.
absl::StatusOr<LinkSweep> SweepLink(const SweepLimits& limits, const MeasureReads& measure);

/// The tuning for chunks of a given size, where the user chose it.
LinkTuning TuningFor(uint64_t chunk_bytes, const LinkSweep& sweep);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_LINK_SWEEP_H_
