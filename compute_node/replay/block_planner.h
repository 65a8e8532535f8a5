#ifndef FARGRAPH_COMPUTE_NODE_REPLAY_BLOCK_PLANNER_H_
#define FARGRAPH_COMPUTE_NODE_REPLAY_BLOCK_PLANNER_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "common/layered_bitmap.h"

namespace fargraph {

/// A device as its planner sees it, and how requests to it are merged.
struct BlockPlannerOptions {
  uint64_t device_bytes = 0;
  uint64_t block_bytes = 512;  ///< the least that the device reads
  /// Blocks that nobody asked for, between two that somebody did, up to which they are read as one.
  uint64_t merge_gap = 16;
  uint64_t most_blocks = 512;  ///< of a request, at least 1
};

/// Consecutive blocks to read.
struct BlockRequest {
  uint64_t first_block = 0;
  uint64_t blocks = 0;

  bool operator==(const BlockRequest&) const = default;
};

/// Turns whatever is asked of a device, in any order and as often as anybody likes, into few
/// requests: Graphene's bitmap (FAST '17, section 3). A bit for each block says that somebody needs
/// it. Setting bits sorts and deduplicates, and one scan merges what lies close together:
///
///   planner.MarkBytes(list.offset, list.bytes);        // for all that an iteration needs
///   while (auto request = planner.Next()) Submit(*request);
///
/// A request begins and ends with a block that was asked for and contains no longer gap than
/// `merge_gap`; none has more than `most_blocks`; two whose gap is no longer than `merge_gap` stand
/// apart only where they do not fit into one. Time to plan is proportional to what was marked
/// (words of 64 blocks, or marks if they are fewer), whatever the size of the device; memory is a
/// bit a block and a 63rd of that, on huge pages where there are some, touched where marked.
///
/// One for each device, and one thread for each, so there are no locks. Movable.
class BlockPlanner {
 public:
  /// InvalidArgument for a size of 0; ResourceExhausted where there is no room for the bitmap.
  static absl::StatusOr<BlockPlanner> Create(const BlockPlannerOptions& options);

  /// Blocks of the device. The last is partial where the device does not end with a block; a
  /// request for it names it as a whole.
  uint64_t blocks() const { return marked_.size(); }

  /// Asks for `count` blocks from `first` on, or for all blocks that hold any of `length` bytes
  /// from `offset` on. They lie on the device; none is fine.
  void MarkBlocks(uint64_t first, uint64_t count) { marked_.SetRange(first, first + count); }
  void MarkBytes(uint64_t offset, uint64_t length);

  /// Takes the first request of what is marked, which is then no longer marked; nothing if nothing
  /// is. Blocks may be marked between two calls, and those that lie before the last request too.
  std::optional<BlockRequest> Next();

 private:
  BlockPlanner(const BlockPlannerOptions& options, LayeredBitmap marked)
      : options_(options), marked_(std::move(marked)) {}

  BlockPlannerOptions options_;
  LayeredBitmap marked_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_REPLAY_BLOCK_PLANNER_H_
