#ifndef FARGRAPH_COMPUTE_NODE_TIERS_FAR_WRITER_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_FAR_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/memory/mapped_memory.h"
#include "compute_node/tiers/far_tier.h"

namespace fargraph {

/// Fills far segments from ordinary memory, through a small ring of registered slots that are
/// written while the next one fills. Used by one thread at a time, while `tier` outlives it.
class FarWriter {
 public:
  static absl::StatusOr<std::unique_ptr<FarWriter>> Open(FarTier& tier);

  /// Copies `bytes` to the far address, some time before the next Flush returns. Writes that follow
  /// on each other go out together. To a tier with blocks, what is written between two of Flush
  /// follows on each other, begins on a block, and takes the last one whole.
  absl::Status Write(uint64_t address, absl::Span<const std::byte> bytes);

  /// Returns when all that was written has arrived.
  absl::Status Flush();

 private:
  FarWriter() = default;
  absl::Status SendSlot();
  absl::Status AwaitSlot(size_t in_flight_limit);

  MappedMemory ring_;
  std::unique_ptr<transport::MemoryRegion> region_;
  std::unique_ptr<TierQueue> queue_;
  std::vector<uint32_t> free_slots_;
  uint32_t slot_ = 0;          ///< the one that fills
  uint64_t slot_address_ = 0;  ///< where its first byte goes
  uint64_t slot_filled_ = 0;   ///< bytes in it
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_FAR_WRITER_H_
