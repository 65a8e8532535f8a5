#ifndef FARGRAPH_COMPUTE_NODE_DIRECTIVES_CHUNK_READS_H_
#define FARGRAPH_COMPUTE_NODE_DIRECTIVES_CHUNK_READS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

/// A chunk of one of a program's segments.
struct SegmentChunk {
  size_t segment = 0;
  uint64_t chunk = 0;

  bool operator==(const SegmentChunk&) const = default;
};

/// Far chunks that a program reads, each in a buffer of its own from when it is started until it is
/// released: what is behind Far_read_start and its like. Of one thread. An error means that the
/// tier has failed; every call says so from then on.
class ChunkReads {
 public:
  /// `memory`: registered memory of `queue`, aligned to 64 bytes, which is cut into buffers of
  /// `chunk_bytes`, a multiple of 64; the queue has as many tags. It outlives the reads.
  ChunkReads(std::unique_ptr<TierQueue> queue, absl::Span<std::byte> memory, uint64_t chunk_bytes);

  /// Has a chunk, which is not started, on its way from where it lies; false when all buffers are
  /// held. Waits where the only ones that are not were released before their chunks were here.
  absl::StatusOr<bool> Start(SegmentChunk chunk, uint64_t address, uint64_t bytes);

  /// Takes note of what has arrived, and moves on what is under way.
  absl::Status Advance();

  // Of a chunk that was started:

  /// True once its bytes are here.
  absl::StatusOr<bool> IsHere(SegmentChunk chunk);
  /// Sleeps until some may be.
  void Wait() { queue_->Wait(kLongestWait); }
  /// When they are: aligned to 64 bytes.
  const std::byte* Bytes(SegmentChunk chunk);
  /// Gives its buffer back, here or not.
  absl::Status Release(SegmentChunk chunk);

  TierTraffic traffic() const { return queue_->traffic(); }

 private:
  /// What a buffer is in use for.
  struct Slot {
    enum class Use : uint8_t { kFree, kUnderWay, kHere, kUnwanted } use = Use::kFree;
    SegmentChunk chunk;
  };

  absl::StatusOr<Slot*> TakeFree();
  Slot* FindUse(Slot::Use use);
  std::byte* Buffer(const Slot& slot) { return memory_ + (&slot - slots_.data()) * chunk_bytes_; }
  Slot& Find(SegmentChunk chunk);

  const std::unique_ptr<TierQueue> queue_;
  std::byte* const memory_;
  const uint64_t chunk_bytes_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> arrived_;  ///< tags, which are numbers of slots
  absl::Status failure_;           ///< of the tier, which says so once
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_DIRECTIVES_CHUNK_READS_H_
