#ifndef FARGRAPH_COMPUTE_NODE_TIERS_FAR_QUEUE_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_FAR_QUEUE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/transport/transport.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

class FarMemory;

/// One thread's way to far memory: a completion queue, and one or more queue pairs to every memory
/// node, which take the node's requests in turn. Made by FarMemory::OpenQueue. Extents are cut at
/// stripe borders. They leave when the queue is polled, all that have been submitted under one
/// doorbell; what a queue pair has no room for waits here.
class FarQueue : public TierQueue {
 public:
  absl::Status Submit(absl::Span<const Extent> extents, uint32_t tag) override;
  absl::Status SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) override;

  absl::StatusOr<size_t> Poll(absl::Span<uint32_t> tags) override;
  void Wait(absl::Duration timeout) override;
  size_t in_flight() const override { return in_flight_; }
  TierTraffic traffic() const override { return traffic_; }

 private:
  friend class FarMemory;

  /// Requests of one queue pair in posting order: [posted, requests.size()) wait for room in it.
  struct Channel {
    size_t node = 0;
    std::unique_ptr<transport::QueuePair> queue_pair;
    std::vector<transport::WorkRequest> requests;
    size_t posted = 0;
  };

  FarQueue(const FarMemory& memory, uint32_t lkey, uint32_t tags, uint32_t queue_pairs);
  size_t NextChannelTo(size_t node);
  absl::Status Enqueue(transport::WorkRequest::Opcode opcode, absl::Span<const Extent> extents,
                       uint32_t tag);
  absl::Status PostWaiting();
  /// What to say where the memory of a node cannot be reached: that the lease has ended, or that
  /// the node was lost.
  absl::Status NodeFailed(size_t node, absl::string_view reason) const;

  const FarMemory& memory_;
  const uint32_t lkey_;
  const uint32_t queue_pairs_;                                    ///< to each node
  std::unique_ptr<transport::CompletionQueue> completion_queue_;  // goes after the queue pairs
  std::vector<Channel> channels_;        ///< those to node n begin at n * queue_pairs_
  uint32_t turn_ = 0;                    ///< of a node's queue pairs
  std::vector<uint32_t> requests_left_;  ///< by tag
  std::array<transport::Completion, 128> completions_;
  size_t in_flight_ = 0;
  TierTraffic traffic_;
  const std::shared_ptr<std::atomic<uint64_t>> published_bytes_;  ///< those of traffic_, for others
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_FAR_QUEUE_H_
