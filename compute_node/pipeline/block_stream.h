#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_BLOCK_STREAM_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_BLOCK_STREAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

/// What a pass over an array does with what is there.
enum class Pass : uint8_t {
  kRead,
  kWrite,   ///< all of it, without reading
  kUpdate,  ///< reads and writes back
};

/// One thread's way over far state that is touched in order: hands out one block after the other,
/// while the next ones are on their way here and the last ones on their way back. Or blocks of any
/// place, one by one, to be written.
class BlockStream {
 public:
  static constexpr uint64_t kBlockBytes = 32 << 10;
  static constexpr size_t kSlots = 4;
  static constexpr uint64_t kRingBytes = kSlots * kBlockBytes;

  /// `ring`: kRingBytes of registered memory of `queue`, which has a tag for each slot. Outlives
  /// the stream.
  BlockStream(std::unique_ptr<TierQueue> queue, absl::Span<std::byte> ring);

  /// Begins a pass over `bytes` from a tier address on. Only when no other one has begun.
  absl::Status Begin(uint64_t address, uint64_t bytes, Pass pass);

  /// The next block, all of kBlockBytes but the last: the caller's to read, and to write as the
  /// pass does, until the next call. As often as there are blocks. An error means that the tier has
  /// failed.
  absl::StatusOr<absl::Span<std::byte>> Next();

  /// Room for up to kBlockBytes that are about to lie at a tier address: the caller's to write, all
  /// of them, until the next call. Not within a pass. End tells if the tier has failed.
  absl::Span<std::byte> Write(uint64_t address, uint64_t bytes);

  /// Ends the pass, or the writing, when all blocks are back, so that any thread may read them.
  /// Also after some blocks only.
  absl::Status End();

  /// Both ways together.
  TierTraffic traffic() const { return queue_->traffic(); }
  double stall_seconds() const { return stall_seconds_; }

 private:
  enum class State : uint8_t { kFree, kReading, kHere, kWriting };
  struct Slot {
    State state = State::kFree;
    Extent extent;  ///< of the block that it holds
  };

  Slot& SlotOf(uint64_t block) { return slots_[block % kSlots]; }
  bool IsHere(uint64_t block);
  absl::Span<std::byte> HandOut();
  void Assign(uint64_t block, uint64_t address, uint64_t bytes, State state);
  absl::Status ReadAhead();
  absl::Status AwaitFree(uint64_t block);
  absl::Status LeaveBlock();
  absl::StatusOr<size_t> Reap();
  void Wait();

  std::unique_ptr<TierQueue> queue_;
  std::byte* const ring_;
  std::array<Slot, kSlots> slots_ = {};

  uint64_t address_ = 0;
  uint64_t bytes_ = 0;
  Pass pass_ = Pass::kRead;
  uint64_t blocks_ = 0;
  uint64_t asked_ = 0;       ///< blocks [0, asked_) are here, on their way or have been
  uint64_t handed_out_ = 0;  ///< the last of those is the caller's
  bool holds_block_ = false;
  absl::Status write_status_;  ///< of what End has to tell
  double stall_seconds_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_BLOCK_STREAM_H_
