#include "compute_node/pipeline/block_stream.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/status_macros.h"

namespace fargraph {

BlockStream::BlockStream(std::unique_ptr<TierQueue> queue, absl::Span<std::byte> ring)
    : queue_(std::move(queue)), ring_(ring.data()) {
  assert(ring.size() >= kRingBytes);
}

absl::Status BlockStream::Begin(uint64_t address, uint64_t bytes, Pass pass) {
  assert(queue_->in_flight() == 0);
  address_ = address;
  bytes_ = bytes;
  pass_ = pass;
  blocks_ = (bytes + kBlockBytes - 1) / kBlockBytes;
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
  return HandOut();
}

absl::Span<std::byte> BlockStream::Write(uint64_t address, uint64_t bytes) {
  assert(bytes <= kBlockBytes && handed_out_ == asked_);
  pass_ = Pass::kWrite;
  if (write_status_.ok()) write_status_ = LeaveBlock();
  if (write_status_.ok()) write_status_ = AwaitFree(asked_);
  Assign(asked_++, address, bytes, State::kHere);
  return HandOut();
}

absl::Status BlockStream::End() {
  FARGRAPH_RETURN_IF_ERROR(std::exchange(write_status_, absl::OkStatus()));
  FARGRAPH_RETURN_IF_ERROR(LeaveBlock());
  while (queue_->in_flight() > 0) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t arrived, Reap());
    if (arrived == 0) Wait();
  }
  slots_ = {};
  asked_ = handed_out_ = 0;
  return absl::OkStatus();
}

bool BlockStream::IsHere(uint64_t block) {
  return block < asked_ && SlotOf(block).state == State::kHere;
}

absl::Span<std::byte> BlockStream::HandOut() {
  holds_block_ = true;
  const Extent& extent = SlotOf(handed_out_++).extent;
  return absl::MakeSpan(extent.destination, extent.length);
}

void BlockStream::Assign(uint64_t block, uint64_t address, uint64_t bytes, State state) {
  SlotOf(block) = {.state = state,
                   .extent = {.address = address,
                              .length = bytes,
                              .destination = ring_ + block % kSlots * kBlockBytes}};
}

/// Asks for the next blocks, as far as slots are free.
absl::Status BlockStream::ReadAhead() {
  for (; asked_ < blocks_ && SlotOf(asked_).state == State::kFree; ++asked_) {
    const uint64_t begin = asked_ * kBlockBytes;
    Assign(asked_, address_ + begin, std::min(kBlockBytes, bytes_ - begin),
           pass_ == Pass::kWrite ? State::kHere : State::kReading);
    if (pass_ == Pass::kWrite) continue;
    FARGRAPH_RETURN_IF_ERROR(queue_->Submit({&SlotOf(asked_).extent, 1}, asked_ % kSlots));
  }
  return absl::OkStatus();
}

/// Sends what was left on its way, and waits until its slot has none of it.
absl::Status BlockStream::AwaitFree(uint64_t block) {
  for (;;) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t arrived, Reap());
    if (SlotOf(block).state == State::kFree) return absl::OkStatus();
    if (arrived == 0) Wait();
  }
}

/// The caller has done with the block that it holds.
absl::Status BlockStream::LeaveBlock() {
  if (!holds_block_) return absl::OkStatus();
  holds_block_ = false;
  const uint64_t block = handed_out_ - 1;
  SlotOf(block).state = pass_ == Pass::kRead ? State::kFree : State::kWriting;
  if (pass_ == Pass::kRead) return absl::OkStatus();
  return queue_->SubmitWrite({&SlotOf(block).extent, 1}, block % kSlots);
}

/// Sends what was submitted, and takes note of what has arrived, of how many blocks.
absl::StatusOr<size_t> BlockStream::Reap() {
  std::array<uint32_t, kSlots> arrived;
  FARGRAPH_ASSIGN_OR_RETURN(const size_t count, queue_->Poll(absl::MakeSpan(arrived)));
  for (size_t i = 0; i < count; ++i) {
    State& state = slots_[arrived[i]].state;
    state = state == State::kReading ? State::kHere : State::kFree;
  }
  return count;
}

void BlockStream::Wait() {
  const absl::Time begin = absl::Now();
  queue_->Wait(kLongestWait);
  stall_seconds_ += absl::ToDoubleSeconds(absl::Now() - begin);
}

}  // namespace fargraph
