#ifndef FARGRAPH_COMPUTE_NODE_TIERS_TIER_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_TIER_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"

/// A tier is a place below local memory where edge bytes live. (Local bytes need no tier: they are
/// pointers.)
namespace fargraph {

/// A run of bytes to fetch: what is left after planning has deduplicated, sorted and merged.
struct Extent {
  uint64_t address = 0;              ///< in the tier's own address space
  uint64_t length = 0;               ///< bytes, at least 1
  std::byte* destination = nullptr;  ///< in the buffer that the queue was made for
};

/// The tier's blocks that hold the bytes [address, address + length).
inline Extent WholeBlocks(uint64_t address, uint64_t length, uint64_t block_bytes) {
  const uint64_t begin = address - address % block_bytes;
  const uint64_t blocks = (address + length - begin + block_bytes - 1) / block_bytes;
  return {.address = begin, .length = blocks * block_bytes};
}

/// The timeout of a Wait within a job: so soon it notices that it was cancelled.
inline constexpr absl::Duration kLongestWait = absl::Milliseconds(100);

/// Bytes and requests that a tier queue has carried since it was made.
struct TierTraffic {
  uint64_t bytes = 0;
  uint64_t requests = 0;
};

/// One thread's way to a tier. It blocks in Wait alone, but where a read has failed and its bytes
/// are read elsewhere; it allocates only where more waits than ever before.
class TierQueue {
 public:
  virtual ~TierQueue() = default;

  /// What address, length and destination of every extent have to be multiples of: 1, or the block
  /// of a device.
  virtual uint64_t block_bytes() const { return 1; }
  /// The same of what lies there, in a queue to several kinds of tier: of these block_bytes is the
  /// largest. Destinations are multiples of the block of where they come from.
  virtual uint64_t BlockBytesAt(uint64_t) const { return block_bytes(); }

  /// Starts fetching all `extents`, at least one, under one tag (below the tag count that the queue
  /// was made for), which must not be in use. Always accepted. They leave with the next Poll at
  /// the latest, so that what is submitted together can leave together; what exceeds the link's
  /// depth waits in the queue. An error means that the tier has failed.
  virtual absl::Status Submit(absl::Span<const Extent> extents, uint32_t tag) = 0;

  /// The same in the other direction: writes from the extents' local bytes, which are the tier's
  /// until the tag is polled. The tier must let write there: a far segment that is not sealed.
  virtual absl::Status SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) = 0;

  /// Takes tags whose extents have all arrived; returns how many. `tags` has room for as many as
  /// the queue was made for. An error means that the tier has failed, and names the place that did.
  virtual absl::StatusOr<size_t> Poll(absl::Span<uint32_t> tags) = 0;

  /// Sleeps until Poll may find something or `timeout` has passed, or for a shorter time. Call it
  /// only while something is in flight.
  virtual void Wait(absl::Duration timeout) = 0;

  /// Tags submitted and not yet polled.
  virtual size_t in_flight() const = 0;

  virtual TierTraffic traffic() const = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_TIER_H_
