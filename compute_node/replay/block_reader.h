#ifndef FARGRAPH_COMPUTE_NODE_REPLAY_BLOCK_READER_H_
#define FARGRAPH_COMPUTE_NODE_REPLAY_BLOCK_READER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/memory/mapped_memory.h"
#include "compute_node/replay/block_planner.h"
#include "compute_node/tiers/tier.h"

namespace fargraph {

/// Reads planned requests through the queue of a tier, some at a time, into buffers whose content
/// nobody looks at. Can be handed on; one thread, that of the queue.
class BlockReader {
 public:
  struct Options {
    uint64_t address = 0;      ///< of the first block, in the tier's address space
    uint64_t block_bytes = 0;  ///< a whole number of what the tier can read
    uint64_t most_blocks = 0;  ///< of a request
    uint32_t depth = 0;        ///< requests in flight; `queue` is made for as many tags
    const std::atomic<bool>* cancelled = nullptr;  ///< if given, stops reading when true
  };

  /// ResourceExhausted where there is no room for the buffers.
  static absl::StatusOr<BlockReader> Create(std::unique_ptr<TierQueue> queue,
                                            const Options& options);

  BlockReader(BlockReader&&) = default;

  /// Returns when all are submitted. Cancelled, or the tier's error.
  absl::Status Read(absl::Span<const BlockRequest> requests);

  /// Returns when all have arrived.
  absl::Status Finish();

 private:
  BlockReader(std::unique_ptr<TierQueue> queue, const Options& options, MappedMemory buffers);

  /// Takes what has arrived; sleeps until something has.
  absl::Status WaitForFreeTags();
  bool IsCancelled() const { return options_.cancelled != nullptr && *options_.cancelled; }

  Options options_;
  MappedMemory buffers_;
  std::unique_ptr<TierQueue> queue_;  // goes before the buffers that it may be reading into
  std::vector<uint32_t> free_tags_;
  std::vector<uint32_t> arrived_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_REPLAY_BLOCK_READER_H_
