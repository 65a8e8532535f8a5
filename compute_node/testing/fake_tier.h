#ifndef FARGRAPH_COMPUTE_NODE_TESTING_FAKE_TIER_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_FAKE_TIER_H_

#include <random>
#include <vector>

#include "compute_node/tiers/tier.h"

namespace fargraph {

/// A tier in plain memory, for tests: tags complete in a random order, some time after they were
/// submitted, and what has not arrived yet reads as garbage. `fail_after`: the tier fails at that
/// request, which one poll says, and then nothing arrives any more. `one_by_one`: they complete in
/// order, one at each poll. `block_bytes`: it wants whole blocks, none twice in a submission; the
/// last one may lie beyond the memory in part.
class FakeTier : public TierQueue {
 public:
  FakeTier(absl::Span<std::byte> memory, unsigned seed, uint64_t fail_after = ~uint64_t{0},
           bool one_by_one = false, uint64_t block_bytes = 1);

  uint64_t block_bytes() const override { return block_bytes_; }

  absl::Status Submit(absl::Span<const Extent> extents, uint32_t tag) override;
  absl::Status SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) override;
  absl::StatusOr<size_t> Poll(absl::Span<uint32_t> tags) override;
  void Wait(absl::Duration) override {}
  size_t in_flight() const override { return waiting_.size(); }
  TierTraffic traffic() const override { return traffic_; }
  uint64_t submissions() const { return submissions_; }
  /// Submitted since the last poll, with which it leaves.
  uint64_t unsent() const { return unsent_; }

 private:
  struct Fetch {
    uint32_t tag;
    std::vector<Extent> extents;
    bool write;
  };

  absl::Status Enqueue(absl::Span<const Extent> extents, uint32_t tag, bool write);

  absl::Span<std::byte> memory_;
  std::mt19937 random_;
  uint64_t fail_after_;
  bool one_by_one_;
  uint64_t block_bytes_;
  std::vector<Fetch> waiting_;
  TierTraffic traffic_;
  uint64_t submissions_ = 0;
  uint64_t unsent_ = 0;
  bool has_failed_ = false;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_FAKE_TIER_H_
