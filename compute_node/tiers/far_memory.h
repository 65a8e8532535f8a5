#ifndef FARGRAPH_COMPUTE_NODE_TIERS_FAR_MEMORY_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_FAR_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/control/memory_node_client.h"
#include "common/transport/transport.h"
#include "compute_node/tiers/far_queue.h"
#include "compute_node/tiers/far_tier.h"
#include "compute_node/tiers/traffic_total.h"

namespace fargraph {

struct FarMemoryOptions {
  std::vector<std::string> memory_nodes;  ///< HOST:PORT each, at least one
  std::optional<transport::Kind>
      transport;  ///< nullopt: verbs where all sides have a device, shm on one host, else tcp
  ControlOptions control;
};

/// The memory nodes of a job as one address space. Holds a lease on each node; all that is not
/// sealed with `keep` is reclaimed when the object goes. Segments are made, sealed and attached by
/// one thread while no queue is in use.
class FarMemory : public FarTier {
 public:
  /// Reaches every node, agrees on a transport and opens the leases. Errors name the node:
  /// Unavailable, Unauthenticated, FailedPrecondition (a transport that one side does not have).
  static absl::StatusOr<std::unique_ptr<FarMemory>> Connect(const FarMemoryOptions& options);

  FarMemory(const FarMemory&) = delete;
  FarMemory& operator=(const FarMemory&) = delete;
  ~FarMemory() override;

  transport::Kind transport() const { return device_->kind(); }
  /// Why that one: "shm, since all memory nodes are on this host".
  const std::string& transport_choice() const { return transport_choice_; }

  std::string transport_name() const override {
    return std::string(transport::KindName(transport()));
  }
  std::vector<FarNode> nodes() const override;
  uint64_t block_bytes() const override { return 1; }
  bool reads_in_background() const override { return transport() != transport::Kind::kShm; }
  bool processors_carry() const override { return transport() != transport::Kind::kVerbs; }

  /// What the fullest node has free, times the nodes: segments are striped over all.
  absl::StatusOr<uint64_t> FreeBytes() const;
  /// What a segment may take of that beyond its bytes: on every node a stripe and an extent.
  uint64_t SlackBytes() const;

  /// Where a node is full, what is left on the nodes of an upload of the same graph that is no
  /// longer whole, and that no job holds, makes room.
  absl::StatusOr<FarSegment> Allocate(const std::string& name, uint64_t bytes) override;
  absl::Status Seal(const FarSegment& segment, bool keep) override;
  absl::StatusOr<FarSegment> Attach(const std::string& name, uint64_t bytes) override;
  absl::StatusOr<std::vector<std::string>> FindSegments(const std::string& name_prefix) override;
  /// Sealed by some job. It cannot be let go of before this one ends.
  absl::StatusOr<FarSegment> AttachAny(uint64_t bytes) override;
  absl::Status Free(const FarSegment& segment) override;

  absl::StatusOr<std::unique_ptr<transport::MemoryRegion>> RegisterMemory(
      absl::Span<std::byte> memory) override;
  absl::StatusOr<std::unique_ptr<TierQueue>> OpenQueue(const transport::MemoryRegion& buffer,
                                                       uint32_t tags,
                                                       uint32_t queue_pairs = 1) override;

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

  /// The distinct parts that the nodes hold, by the segment's name, sealed and of as many nodes as
  /// these; `regions`: each with its node, once a copy.
  struct FoundParts {
    std::set<std::string> names;
    std::vector<std::pair<size_t, RegionSummary>> regions;
  };

  FarMemory() = default;
  absl::Status ChooseTransport(std::optional<transport::Kind> wanted);
  absl::Status OpenLeases();
  absl::StatusOr<std::vector<Part>> AllocateParts(const std::string& name, uint64_t bytes);
  absl::StatusOr<std::vector<Part>> AttachParts(const std::string& name);
  absl::StatusOr<std::map<std::string, FoundParts>> FindParts(const std::string& name_prefix);
  /// Frees the parts that no job holds of segments that are not whole; whether there were any.
  absl::StatusOr<bool> FreeRemains(const std::string& name_prefix);
  FarSegment AddSegment(std::string name, Segment segment);
  Segment& Find(const FarSegment& segment);

  std::vector<Node> nodes_;
  std::string transport_choice_;
  std::unique_ptr<transport::Device> device_;
  std::shared_ptr<TrafficTotal> traffic_ = std::make_shared<TrafficTotal>();
  std::vector<Segment> segments_;  ///< segment i begins at tier address i * kSegmentSpan
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_FAR_MEMORY_H_
