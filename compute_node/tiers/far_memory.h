#ifndef FARGRAPH_COMPUTE_NODE_TIERS_FAR_MEMORY_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_FAR_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/control/memory_node_client.h"
#include "common/transport/transport.h"
#include "compute_node/tiers/far_queue.h"

namespace fargraph {

struct FarMemoryOptions {
  std::vector<std::string> memory_nodes;  ///< HOST:PORT each, at least one
  std::optional<transport::Kind>
      transport;  ///< nullopt: verbs where all sides have a device, shm on one host, else tcp
  ControlOptions control;
};

/// A contiguous range of the far tier's address space, striped over the memory nodes, with a name
/// under which other jobs can find it. A value; the FarMemory that made it holds the bytes.
struct FarSegment {
  std::string name;
  uint64_t address = 0;  ///< of its first byte, in the tier's address space
  uint64_t bytes = 0;
};

struct MemoryNodeName {
  std::string address;  ///< HOST:PORT
  std::string node_id;  ///< of the process that answers there: another one after a restart
};

/// The memory nodes of a job as one address space. Holds a lease on each node; all that is not
/// sealed with `keep` is reclaimed when the object goes. Segments are made, sealed and attached by
/// one thread while no queue is in use.
class FarMemory {
 public:
  /// Reaches every node, agrees on a transport and opens the leases. Errors name the node:
  /// Unavailable, Unauthenticated, FailedPrecondition (a transport that one side does not have).
  static absl::StatusOr<std::unique_ptr<FarMemory>> Connect(const FarMemoryOptions& options);

  FarMemory(const FarMemory&) = delete;
  FarMemory& operator=(const FarMemory&) = delete;
  ~FarMemory();

  transport::Kind transport() const { return device_->kind(); }
  /// Why that one: "shm, since all memory nodes are on this host".
  const std::string& transport_choice() const { return transport_choice_; }

  /// The memory nodes, by address.
  std::vector<MemoryNodeName> nodes() const;

  /// A new segment of `bytes` (at least 1), writable until it is sealed. ResourceExhausted when a
  /// node is full.
  absl::StatusOr<FarSegment> Allocate(const std::string& name, uint64_t bytes);
  /// Makes a segment immutable and visible to other jobs by its name; `keep`: it stays after this
  /// job.
  absl::Status Seal(const FarSegment& segment, bool keep);
  /// A sealed segment that some job left or still holds. NotFound when the nodes do not hold all of
  /// it.
  absl::StatusOr<FarSegment> Attach(const std::string& name, uint64_t bytes);
  /// The names, with the prefix, of sealed segments of which these nodes hold every part.
  absl::StatusOr<std::vector<std::string>> FindSegments(const std::string& name_prefix);
  /// Gives the bytes back to the nodes and forgets the name.
  absl::Status Free(const FarSegment& segment);

  /// Registers memory for OpenQueue; it must outlive the registration, and that the queues.
  absl::StatusOr<std::unique_ptr<transport::MemoryRegion>> RegisterMemory(
      absl::Span<std::byte> memory);

  /// Connects a queue to every node, by so many queue pairs each. All bytes that it moves are in
  /// `buffer`. `tags`: as in TierQueue. This object must outlive the queue. Any thread may open
  /// one.
  absl::StatusOr<std::unique_ptr<FarQueue>> OpenQueue(const transport::MemoryRegion& buffer,
                                                      uint32_t tags, uint32_t queue_pairs = 1);

 private:
  friend class FarQueue;

  struct Node {
    std::unique_ptr<MemoryNodeClient> client;
    std::unique_ptr<Lease> lease;
  };
  /// Stripe s of a segment lies on parts[s % parts.size()].
  struct Part {
    size_t node = 0;
    RemoteRegion region;
  };
  struct Segment {
    uint64_t bytes = 0;
    std::vector<Part> parts;
  };

  FarMemory() = default;
  absl::Status ChooseTransport(std::optional<transport::Kind> wanted);
  absl::Status OpenLeases();
  absl::StatusOr<std::vector<Part>> AttachParts(const std::string& name);
  FarSegment AddSegment(std::string name, Segment segment);
  Segment& Find(const FarSegment& segment);

  std::vector<Node> nodes_;
  std::string transport_choice_;
  std::unique_ptr<transport::Device> device_;
  std::vector<Segment> segments_;  ///< segment i begins at tier address i * kSegmentSpan
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_FAR_MEMORY_H_
