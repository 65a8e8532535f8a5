#include "compute_node/replay/block_reader.h"

#include <numeric>
#include <utility>

#include "common/status_macros.h"

namespace fargraph {

absl::StatusOr<BlockReader> BlockReader::Create(std::unique_ptr<TierQueue> queue,
                                                const Options& options) {
  FARGRAPH_ASSIGN_OR_RETURN(
      MappedMemory buffers,
      MappedMemory::Allocate(options.depth * options.most_blocks * options.block_bytes));
  return BlockReader(std::move(queue), options, std::move(buffers));
}

BlockReader::BlockReader(std::unique_ptr<TierQueue> queue, const Options& options,
                         MappedMemory buffers)
    : options_(options),
      buffers_(std::move(buffers)),
      queue_(std::move(queue)),
      free_tags_(options.depth),
      arrived_(options.depth) {
  std::iota(free_tags_.begin(), free_tags_.end(), 0);
}

absl::Status BlockReader::Read(absl::Span<const BlockRequest> requests) {
  for (const BlockRequest& request : requests) {
    if (free_tags_.empty()) FARGRAPH_RETURN_IF_ERROR(WaitForFreeTags());
    if (IsCancelled())
      return absl::CancelledError(
          "interrupted in the middle of the replay; nothing was left behind");
    const uint32_t tag = free_tags_.back();
    free_tags_.pop_back();
    const Extent extent = {
        .address = options_.address + request.first_block * options_.block_bytes,
        .length = request.blocks * options_.block_bytes,
        .destination = buffers_.data() + tag * options_.most_blocks * options_.block_bytes};
    FARGRAPH_RETURN_IF_ERROR(queue_->Submit({&extent, 1}, tag));
  }
  return absl::OkStatus();
}

absl::Status BlockReader::Finish() {
  while (free_tags_.size() < options_.depth) FARGRAPH_RETURN_IF_ERROR(WaitForFreeTags());
  return absl::OkStatus();
}

absl::Status BlockReader::WaitForFreeTags() {
  constexpr absl::Duration kLongest = absl::Seconds(1);
  while (true) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t count, queue_->Poll(absl::MakeSpan(arrived_)));
    free_tags_.insert(free_tags_.end(), arrived_.begin(), arrived_.begin() + count);
    if (count > 0) return absl::OkStatus();
    queue_->Wait(kLongest);
  }
}

}  // namespace fargraph
