#include "compute_node/directives/chunk_reads.h"

#include <cassert>
#include <utility>

#include "absl/algorithm/container.h"
#include "common/status_macros.h"

namespace fargraph {

ChunkReads::ChunkReads(std::unique_ptr<TierQueue> queue, absl::Span<std::byte> memory,
                       uint64_t chunk_bytes)
    : queue_(std::move(queue)),
      memory_(memory.data()),
      chunk_bytes_(chunk_bytes),
      slots_(memory.size() / chunk_bytes),
      arrived_(slots_.size()) {}

absl::StatusOr<bool> ChunkReads::Start(SegmentChunk chunk, uint64_t address, uint64_t bytes) {
  FARGRAPH_ASSIGN_OR_RETURN(Slot* const slot, TakeFree());
  if (slot == nullptr) return false;
  *slot = {.use = Slot::Use::kUnderWay, .chunk = chunk};
  const Extent extent = {.address = address, .length = bytes, .destination = Buffer(*slot)};
  failure_ = queue_->Submit({&extent, 1}, slot - slots_.data());
  FARGRAPH_RETURN_IF_ERROR(Advance());  // with which the read leaves
  return true;
}

/// nullptr when all are held.
absl::StatusOr<ChunkReads::Slot*> ChunkReads::TakeFree() {
  for (;;) {
    FARGRAPH_RETURN_IF_ERROR(Advance());
    Slot* const slot = FindUse(Slot::Use::kFree);
    if (slot != nullptr || FindUse(Slot::Use::kUnwanted) == nullptr) return slot;
    Wait();
  }
}

ChunkReads::Slot* ChunkReads::FindUse(Slot::Use use) {
  const auto slot = absl::c_find_if(slots_, [&](const Slot& any) { return any.use == use; });
  return slot == slots_.end() ? nullptr : &*slot;
}

absl::Status ChunkReads::Advance() {
  FARGRAPH_RETURN_IF_ERROR(failure_);
  if (queue_->in_flight() == 0) return absl::OkStatus();
  const absl::StatusOr<size_t> count = queue_->Poll(absl::MakeSpan(arrived_));
  if (!count.ok()) return failure_ = count.status();
  for (size_t i = 0; i < *count; ++i) {
    Slot& slot = slots_[arrived_[i]];
    slot.use = slot.use == Slot::Use::kUnwanted ? Slot::Use::kFree : Slot::Use::kHere;
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> ChunkReads::IsHere(SegmentChunk chunk) {
  FARGRAPH_RETURN_IF_ERROR(Advance());
  return Find(chunk).use == Slot::Use::kHere;
}

const std::byte* ChunkReads::Bytes(SegmentChunk chunk) { return Buffer(Find(chunk)); }

absl::Status ChunkReads::Release(SegmentChunk chunk) {
  FARGRAPH_RETURN_IF_ERROR(Advance());
  Slot& slot = Find(chunk);
  slot.use = slot.use == Slot::Use::kHere ? Slot::Use::kFree : Slot::Use::kUnwanted;
  return absl::OkStatus();
}

ChunkReads::Slot& ChunkReads::Find(SegmentChunk chunk) {
  const auto slot = absl::c_find_if(slots_, [&](const Slot& any) {
    const bool is_started = any.use == Slot::Use::kUnderWay || any.use == Slot::Use::kHere;
    return is_started && any.chunk == chunk;
  });
  assert(slot != slots_.end());
  return *slot;
}

}  // namespace fargraph
