#include "compute_node/tiers/far_writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "common/status_macros.h"
#include "common/units.h"

namespace fargraph {
namespace {

constexpr uint64_t kSlotBytes = 256 * kKiB;
constexpr uint32_t kSlots = 8;

}  // namespace

absl::StatusOr<std::unique_ptr<FarWriter>> FarWriter::Open(FarTier& tier) {
  std::unique_ptr<FarWriter> writer(new FarWriter());
  FARGRAPH_ASSIGN_OR_RETURN(writer->ring_, MappedMemory::Allocate(kSlots * kSlotBytes));
  FARGRAPH_ASSIGN_OR_RETURN(writer->region_, tier.RegisterMemory(writer->ring_.bytes()));
  FARGRAPH_ASSIGN_OR_RETURN(writer->queue_, tier.OpenQueue(*writer->region_, kSlots));
  for (uint32_t slot = 1; slot < kSlots; ++slot) writer->free_slots_.push_back(slot);
  return writer;
}

absl::Status FarWriter::Write(uint64_t address, absl::Span<const std::byte> bytes) {
  if (address != slot_address_ + slot_filled_) {
    FARGRAPH_RETURN_IF_ERROR(SendSlot());
    slot_address_ = address;
  }
  while (!bytes.empty()) {
    const uint64_t count = std::min<uint64_t>(bytes.size(), kSlotBytes - slot_filled_);
    std::memcpy(ring_.data() + slot_ * kSlotBytes + slot_filled_, bytes.data(), count);
    slot_filled_ += count;
    bytes.remove_prefix(count);
    if (slot_filled_ == kSlotBytes) FARGRAPH_RETURN_IF_ERROR(SendSlot());
  }
  return absl::OkStatus();
}

absl::Status FarWriter::Flush() {
  FARGRAPH_RETURN_IF_ERROR(SendSlot());
  return AwaitSlot(/*in_flight_limit=*/0);
}

/// Sends what the current slot holds and goes on to a free one.
absl::Status FarWriter::SendSlot() {
  if (slot_filled_ == 0) return absl::OkStatus();
  const Extent extent = {.address = slot_address_,
                         .length = WholeBlocks(0, slot_filled_, queue_->block_bytes()).length,
                         .destination = ring_.data() + slot_ * kSlotBytes};
  FARGRAPH_RETURN_IF_ERROR(queue_->SubmitWrite({&extent, 1}, slot_));
  FARGRAPH_RETURN_IF_ERROR(AwaitSlot(kSlots - 1));
  slot_address_ += slot_filled_;
  slot_filled_ = 0;
  slot_ = free_slots_.back();
  free_slots_.pop_back();
  return absl::OkStatus();
}

/// Waits until at most `in_flight_limit` slots are under way.
absl::Status FarWriter::AwaitSlot(size_t in_flight_limit) {
  std::array<uint32_t, kSlots> arrived;
  for (;;) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t count, queue_->Poll(absl::MakeSpan(arrived)));
    free_slots_.insert(free_slots_.end(), arrived.begin(), arrived.begin() + count);
    if (queue_->in_flight() <= in_flight_limit) return absl::OkStatus();
    if (count == 0) queue_->Wait(kLongestWait);
  }
}

}  // namespace fargraph
