#ifndef FARGRAPH_COMPUTE_NODE_TIERS_FAR_TIER_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_FAR_TIER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/transport/transport.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

/// A contiguous range of the tier's address space, striped over its nodes, with a name under which
/// other jobs can find it. A value; the FarTier that made it holds the bytes.
struct FarSegment {
  std::string name;
  uint64_t address = 0;  ///< of its first byte, in the tier's address space
  uint64_t bytes = 0;
};

/// Reads a segment's bytes from `offset` on somewhere else. Any thread may call it.
using SegmentCopy = std::function<absl::Status(uint64_t offset, absl::Span<std::byte> bytes)>;

struct FarNode {
  std::string address;  ///< HOST:PORT of a memory node, directory of an SSD
  std::string node_id;  ///< of the process that answers there: another one after a restart; of the
                        ///< device
};

/// Where the bytes of a job lie that are not local, as one address space: memory nodes (FarMemory)
/// or SSDs (SsdArray). Segments are made, sealed and attached by one thread while no queue is in
/// use. Errors name the node.
class FarTier {
 public:
  virtual ~FarTier() = default;

  /// How bytes come from there: "verbs", "shm", "tcp" or "ssd".
  virtual std::string transport_name() const = 0;
  /// Ascending by address.
  virtual std::vector<FarNode> nodes() const = 0;
  /// As TierQueue::block_bytes; segments begin on a block, and end with a whole one.
  virtual uint64_t block_bytes() const = 0;
  /// False if the thread that asked copies the bytes when it polls for them, so that nothing
  /// arrives while it computes.
  virtual bool reads_in_background() const { return true; }
  /// True if the processors of a job copy all that comes, and no device does.
  virtual bool processors_carry() const { return false; }

  /// A new segment of `bytes` (at least 1), writable until it is sealed. ResourceExhausted when a
  /// node is full.
  virtual absl::StatusOr<FarSegment> Allocate(const std::string& name, uint64_t bytes) = 0;
  /// Makes a segment immutable and visible to other jobs by its name; `keep`: it stays after this
  /// job, where the tier can keep anything. One that was attached stays so, too.
  virtual absl::Status Seal(const FarSegment& segment, bool keep) = 0;
  /// A sealed segment that some job left or still holds. NotFound when the nodes do not hold all of
  /// it.
  virtual absl::StatusOr<FarSegment> Attach(const std::string& name, uint64_t bytes) = 0;
  /// The names, with the prefix, of sealed segments of which these nodes hold every part.
  virtual absl::StatusOr<std::vector<std::string>> FindSegments(const std::string& name_prefix) = 0;
  /// So many bytes that are there already, whatever they are, to be read for a measurement.
  /// NotFound where nothing is.
  virtual absl::StatusOr<FarSegment> AttachAny(uint64_t bytes) = 0;
  /// What cannot be read of a segment is read from `copy` from then on, which outlives the queues;
  /// a tier that does not do so ignores it.
  virtual void SetCopy(const FarSegment&, const SegmentCopy&) {}
  /// Gives the bytes back to the nodes and forgets the name.
  virtual absl::Status Free(const FarSegment& segment) = 0;

  /// Registers memory for OpenQueue; it must outlive the registration, and that the queues.
  virtual absl::StatusOr<std::unique_ptr<transport::MemoryRegion>> RegisterMemory(
      absl::Span<std::byte> memory) = 0;
  /// Opens a queue to all nodes, by so many queue pairs each where there are queue pairs. All bytes
  /// that it moves are in `buffer`. `tags`: as in TierQueue. This object must outlive the queue.
  /// Any thread may open one.
  virtual absl::StatusOr<std::unique_ptr<TierQueue>> OpenQueue(
      const transport::MemoryRegion& buffer, uint32_t tags, uint32_t queue_pairs = 1) = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_FAR_TIER_H_
