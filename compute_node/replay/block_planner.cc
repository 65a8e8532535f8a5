#include "compute_node/replay/block_planner.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/units.h"

namespace fargraph {

absl::StatusOr<BlockPlanner> BlockPlanner::Create(const BlockPlannerOptions& options) {
  if (options.device_bytes == 0 || options.block_bytes == 0 || options.most_blocks == 0) {
    return absl::InvalidArgumentError(
        "Planning the reads of a device: the device, its blocks or the largest request have a size "
        "of 0; give each a size");
  }
  const uint64_t whole_blocks = options.device_bytes / options.block_bytes;
  const bool partial_block = options.device_bytes % options.block_bytes != 0;
  absl::StatusOr<LayeredBitmap> marked = LayeredBitmap::Create(whole_blocks + partial_block);
  if (!marked.ok()) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "Planning the reads of a device of ", FormatBytes(options.device_bytes), " in blocks of ",
        FormatBytes(options.block_bytes), ": ", marked.status().message(), "; take larger blocks"));
  }
  return BlockPlanner(options, *std::move(marked));
}

void BlockPlanner::MarkBytes(uint64_t offset, uint64_t length) {
  if (length == 0) return;
  const uint64_t first = offset / options_.block_bytes;
  const uint64_t last = (offset + length - 1) / options_.block_bytes;
  MarkBlocks(first, last - first + 1);
}

std::optional<BlockRequest> BlockPlanner::Next() {
  const uint64_t first = marked_.NextSet(0);
  if (first == blocks()) return std::nullopt;
  const uint64_t limit = first + std::min(options_.most_blocks, blocks() - first);
  uint64_t end = first;
  uint64_t next = first;
  while (next < limit && next - end <= options_.merge_gap) {
    end = marked_.NextClear(next, limit);
    next = marked_.NextSet(end);
  }
  marked_.ResetRange(first, end);
  return BlockRequest{.first_block = first, .blocks = end - first};
}

}  // namespace fargraph
