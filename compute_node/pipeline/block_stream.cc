#include "compute_node/pipeline/block_stream.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

constexpr absl::Duration kLongestWait = absl::Milliseconds(100);

}  // namespace

BlockStream::BlockStream(std::unique_ptr<TierQueue> queue, absl::Span<std::byte> ring)
    : queue_(std::move(queue)), ring_(ring.data()) {
  assert(ring.size() >= kRingBytes);
}

absl::Status BlockStream::Begin(uint64_t address, uint64_t bytes, Pass pass) {
  assert(queue_->in_flight() == 0);
  slots_ = {};
  address_ = address;
  bytes_ = bytes;
  pass_ = pass;
  blocks_ = (bytes + kBlockBytes - 1) / kBlockBytes;
  asked_ = handed_out_ = 0;
  holds_block_ = false;
  return ReadAhead();
}

absl::StatusOr<absl::Span<std::byte>> BlockStream::Next() {
  assert(handed_out_ < blocks_);
  FARGRAPH_RETURN_IF_ERROR(LeaveBlock());
  for (;;) {
    FARGRAPH_RETURN_IF_ERROR(ReadAhead());
    FARGRAPH_ASSIGN_OR_RETURN(const size_t arrived, Reap());
    if (IsHere(handed_out_)) break;
    if (arrived == 0) Wait();
  }
  holds_block_ = true;
  const Extent extent = ExtentOf(handed_out_++);
  return absl::MakeSpan(extent.destination, extent.length);
}

absl::Status BlockStream::End() {
  FARGRAPH_RETURN_IF_ERROR(LeaveBlock());
  while (queue_->in_flight() > 0) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t arrived, Reap());
    if (arrived == 0) Wait();
  }
  return absl::OkStatus();
}

uint64_t BlockStream::BytesOf(uint64_t block) const {
  return std::min(kBlockBytes, bytes_ - block * kBlockBytes);
}

Extent BlockStream::ExtentOf(uint64_t block) const {
  return {.address = address_ + block * kBlockBytes,
          .length = BytesOf(block),
          .destination = ring_ + block % kSlots * kBlockBytes};
}

bool BlockStream::IsHere(uint64_t block) { return block < asked_ && SlotOf(block) == Slot::kHere; }

/// Asks for the next blocks, as far as slots are free.
absl::Status BlockStream::ReadAhead() {
  for (; asked_ < blocks_ && SlotOf(asked_) == Slot::kFree; ++asked_) {
    SlotOf(asked_) = pass_ == Pass::kWrite ? Slot::kHere : Slot::kReading;
    if (pass_ == Pass::kWrite) continue;
    const Extent extent = ExtentOf(asked_);
    FARGRAPH_RETURN_IF_ERROR(queue_->Submit({&extent, 1}, asked_ % kSlots));
  }
  return absl::OkStatus();
}

/// The caller has done with the block that it holds.
absl::Status BlockStream::LeaveBlock() {
  if (!holds_block_) return absl::OkStatus();
  holds_block_ = false;
  const uint64_t block = handed_out_ - 1;
  SlotOf(block) = pass_ == Pass::kRead ? Slot::kFree : Slot::kWriting;
  if (pass_ == Pass::kRead) return absl::OkStatus();
  const Extent extent = ExtentOf(block);
  return queue_->SubmitWrite({&extent, 1}, block % kSlots);
}

/// Sends what was submitted, and takes note of what has arrived, of how many blocks.
absl::StatusOr<size_t> BlockStream::Reap() {
  std::array<uint32_t, kSlots> arrived;
  FARGRAPH_ASSIGN_OR_RETURN(const size_t count, queue_->Poll(absl::MakeSpan(arrived)));
  for (size_t i = 0; i < count; ++i) {
    Slot& slot = slots_[arrived[i]];
    slot = slot == Slot::kReading ? Slot::kHere : Slot::kFree;
  }
  return count;
}

void BlockStream::Wait() {
  const absl::Time begin = absl::Now();
  queue_->Wait(kLongestWait);
  stall_seconds_ += absl::ToDoubleSeconds(absl::Now() - begin);
}

}  // namespace fargraph
