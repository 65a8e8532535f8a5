#ifndef FARGRAPH_COMPUTE_NODE_TIERS_TIERED_QUEUE_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_TIERED_QUEUE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

/// One thread's way to memory nodes and SSDs at once. Extents go where their addresses lie
/// (far_space.h), and one tag may have some on either side. A poll looks at both sides, so neither
/// holds up the other. A wait while both are under way sleeps on one of them after the other, each
/// time so shortly that what arrives on the other is seen soon.
class TieredQueue : public TierQueue {
 public:
  /// Both made for `tags` tags.
  TieredQueue(std::unique_ptr<TierQueue> memory, std::unique_ptr<TierQueue> ssds, uint32_t tags);

  uint64_t block_bytes() const override;
  uint64_t BlockBytesAt(uint64_t address) const override;
  absl::Status Submit(absl::Span<const Extent> extents, uint32_t tag) override;
  absl::Status SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) override;
  absl::StatusOr<size_t> Poll(absl::Span<uint32_t> tags) override;
  void Wait(absl::Duration timeout) override;
  size_t in_flight() const override { return in_flight_; }
  TierTraffic traffic() const override;

 private:
  struct Side {
    std::unique_ptr<TierQueue> queue;
    std::vector<Extent> extents;    ///< of a submission
    std::vector<uint32_t> arrived;  ///< tags, of a poll
  };

  using Start = absl::Status (TierQueue::*)(absl::Span<const Extent> extents, uint32_t tag);
  absl::Status Divide(Start start, absl::Span<const Extent> extents, uint32_t tag);

  std::array<Side, 2> sides_;        ///< memory nodes, SSDs
  std::vector<uint8_t> sides_left_;  ///< by tag
  size_t next_sleep_ = 0;            ///< the side on which the next wait for both sleeps
  size_t in_flight_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_TIERED_QUEUE_H_
