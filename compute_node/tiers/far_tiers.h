#ifndef FARGRAPH_COMPUTE_NODE_TIERS_FAR_TIERS_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_FAR_TIERS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/transport/transport.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/ssd_array.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

/// Memory registered with every tier; it must outlive the registration, and that the queues.
struct RegisteredMemory {
  std::unique_ptr<transport::MemoryRegion> memory;
  std::unique_ptr<transport::MemoryRegion> ssds;
};

/// The tiers of a job below its local memory: memory nodes, SSDs, or both. Their addresses differ
/// (far_space.h), so a segment's address says where it lies, and one queue reads from both.
class FarTiers {
 public:
  /// Either may be nullptr, but not both.
  FarTiers(std::unique_ptr<FarMemory> memory, std::unique_ptr<SsdArray> ssds)
      : memory_(std::move(memory)), ssds_(std::move(ssds)) {}

  FarMemory* memory() const { return memory_.get(); }
  SsdArray* ssds() const { return ssds_.get(); }
  bool has_both() const { return memory_ != nullptr && ssds_ != nullptr; }

  /// "verbs", "shm", "tcp" or "ssd"; of both "shm+ssd".
  std::string transport_name() const;
  /// The memory nodes', or else the SSDs'.
  std::vector<FarNode> nodes() const;
  /// The largest of the tiers' blocks.
  uint64_t block_bytes() const;

  /// As of FarTier.
  absl::StatusOr<RegisteredMemory> RegisterMemory(absl::Span<std::byte> bytes);
  /// A queue to all tiers; otherwise as of FarTier.
  absl::StatusOr<std::unique_ptr<TierQueue>> OpenQueue(const RegisteredMemory& buffer,
                                                       uint32_t tags, uint32_t queue_pairs);

 private:
  std::unique_ptr<FarMemory> memory_;
  std::unique_ptr<SsdArray> ssds_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_FAR_TIERS_H_
