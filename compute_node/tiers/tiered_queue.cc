#include "compute_node/tiers/tiered_queue.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "absl/time/time.h"
#include "common/status_macros.h"
#include "compute_node/tiers/far_space.h"

namespace fargraph {
namespace {

/// About what a read from an SSD takes: what comes from the other side meanwhile waits no longer.
constexpr absl::Duration kLongestSleep = absl::Microseconds(100);
/// Of a submission; one with more of them allocates once.
constexpr size_t kUsualExtents = 256;

}  // namespace

TieredQueue::TieredQueue(std::unique_ptr<TierQueue> memory, std::unique_ptr<TierQueue> ssds,
                         uint32_t tags)
    : sides_left_(tags) {
  sides_[0].queue = std::move(memory);
  sides_[1].queue = std::move(ssds);
  for (Side& side : sides_) {
    side.extents.reserve(kUsualExtents);
    side.arrived.resize(tags);
  }
}

uint64_t TieredQueue::block_bytes() const {
  return std::max(sides_[0].queue->block_bytes(), sides_[1].queue->block_bytes());
}

uint64_t TieredQueue::BlockBytesAt(uint64_t address) const {
  return sides_[IsOnSsd(address)].queue->block_bytes();
}

absl::Status TieredQueue::Submit(absl::Span<const Extent> extents, uint32_t tag) {
  return Divide(&TierQueue::Submit, extents, tag);
}

absl::Status TieredQueue::SubmitWrite(absl::Span<const Extent> extents, uint32_t tag) {
  return Divide(&TierQueue::SubmitWrite, extents, tag);
}

absl::Status TieredQueue::Divide(Start start, absl::Span<const Extent> extents, uint32_t tag) {
  assert(sides_left_[tag] == 0 && !extents.empty());
  for (Side& side : sides_) side.extents.clear();
  for (const Extent& extent : extents) sides_[IsOnSsd(extent.address)].extents.push_back(extent);
  for (Side& side : sides_) {
    if (side.extents.empty()) continue;
    FARGRAPH_RETURN_IF_ERROR((side.queue.get()->*start)(side.extents, tag));
    ++sides_left_[tag];
  }
  ++in_flight_;
  return absl::OkStatus();
}

absl::StatusOr<size_t> TieredQueue::Poll(absl::Span<uint32_t> tags) {
  size_t done = 0;
  for (Side& side : sides_) {
    if (side.queue->in_flight() == 0) continue;
    FARGRAPH_ASSIGN_OR_RETURN(const size_t count, side.queue->Poll(absl::MakeSpan(side.arrived)));
    for (const uint32_t tag : absl::MakeConstSpan(side.arrived).first(count)) {
      if (--sides_left_[tag] == 0) tags[done++] = tag;
    }
  }
  in_flight_ -= done;
  return done;
}

void TieredQueue::Wait(absl::Duration timeout) {
  TierQueue& memory = *sides_[0].queue;
  TierQueue& ssds = *sides_[1].queue;
  if (ssds.in_flight() == 0) return memory.Wait(timeout);
  if (memory.in_flight() == 0) return ssds.Wait(timeout);
  sides_[next_sleep_].queue->Wait(std::min(timeout, kLongestSleep));
  next_sleep_ = 1 - next_sleep_;
}

TierTraffic TieredQueue::traffic() const {
  TierTraffic sum;
  for (const Side& side : sides_) {
    const TierTraffic traffic = side.queue->traffic();
    sum.bytes += traffic.bytes;
    sum.requests += traffic.requests;
  }
  return sum;
}

}  // namespace fargraph
