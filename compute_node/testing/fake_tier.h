#ifndef FARGRAPH_COMPUTE_NODE_TESTING_FAKE_TIER_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_FAKE_TIER_H_

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "compute_node/tiers/tier.h"

namespace fargraph {

/// A tier in plain memory, for tests: tags complete in a random order, some time after they were
/// submitted, and what has not arrived yet reads as garbage. `fail_after`: the tier fails at that
/// request. `one_by_one`: they complete in order, one at each poll. `block_bytes`: it wants whole
/// blocks, none twice in a submission; the last one may lie beyond the memory in part.
class FakeTier : public TierQueue {
 public:
  FakeTier(absl::Span<std::byte> memory, unsigned seed, uint64_t fail_after = ~uint64_t{0},
           bool one_by_one = false, uint64_t block_bytes = 1)
      : memory_(memory),
        random_(seed),
        fail_after_(fail_after),
        one_by_one_(one_by_one),
        block_bytes_(block_bytes) {}

  uint64_t block_bytes() const override { return block_bytes_; }

  absl::Status Submit(absl::Span<const Extent> extents, uint32_t tag) override {
    for (const Extent& extent : extents) std::memset(extent.destination, 0xee, extent.length);
    return Enqueue(extents, tag, /*write=*/false);
  }

  absl::Status SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) override {
    return Enqueue(extents, tag, /*write=*/true);
  }

  absl::StatusOr<size_t> Poll(absl::Span<uint32_t> tags) override {
    if (traffic_.requests >= fail_after_) return absl::UnavailableError("the fake tier has failed");
    unsent_ = 0;
    size_t count = 0;
    while (count < tags.size() && !waiting_.empty() && random_() % 3 != 0 &&
           !(one_by_one_ && count == 1)) {
      const auto fetch = waiting_.begin() + (one_by_one_ ? 0 : random_() % waiting_.size());
      for (const Extent& extent : fetch->extents) {
        std::byte* const bytes = memory_.data() + extent.address;
        const uint64_t length = std::min(extent.length, memory_.size() - extent.address);
        if (fetch->write) {
          std::memcpy(bytes, extent.destination, length);
        } else {
          std::memcpy(extent.destination, bytes, length);
        }
      }
      tags[count++] = fetch->tag;
      waiting_.erase(fetch);
    }
    return count;
  }

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

  absl::Status Enqueue(absl::Span<const Extent> extents, uint32_t tag, bool write) {
    if (extents.empty()) return absl::InternalError("nothing to fetch");
    std::set<uint64_t> blocks;
    for (const Extent& extent : extents) {
      const Extent whole = WholeBlocks(extent.address, extent.length, block_bytes_);
      if (whole.address != extent.address || whole.length != extent.length ||
          reinterpret_cast<uintptr_t>(extent.destination) % block_bytes_ != 0)
        return absl::InternalError("not whole blocks");
      for (uint64_t block = 0; block_bytes_ > 1 && block < extent.length; block += block_bytes_) {
        if (!blocks.insert(extent.address + block).second)
          return absl::InternalError("a block twice");
      }
      if (extent.address + extent.length >= memory_.size() + block_bytes_)
        return absl::InternalError("extent out of range");
      traffic_.bytes += extent.length;
      ++traffic_.requests;
    }
    ++submissions_;
    ++unsent_;
    waiting_.push_back({tag, {extents.begin(), extents.end()}, write});
    return absl::OkStatus();
  }

  absl::Span<std::byte> memory_;
  std::mt19937 random_;
  uint64_t fail_after_;
  bool one_by_one_;
  uint64_t block_bytes_;
  std::vector<Fetch> waiting_;
  TierTraffic traffic_;
  uint64_t submissions_ = 0;
  uint64_t unsent_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_FAKE_TIER_H_
