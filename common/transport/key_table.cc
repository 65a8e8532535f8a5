#include "common/transport/key_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace fargraph::transport {
namespace {

constexpr uint64_t kSlotMask = kKeySlots - 1;

}  // namespace

bool KeyTableView::Live(uint64_t rkey) const {
  return rkey != 0 && slots_[rkey & kSlotMask].rkey.load(std::memory_order_seq_cst) == rkey;
}

bool KeyTableView::Allows(uint64_t rkey, uint64_t address, uint64_t length,
                          WorkRequest::Opcode opcode) const {
  if (!Live(rkey)) return false;
  const KeySlot& slot = slots_[rkey & kSlotMask];
  const uint64_t begin = slot.address.load(std::memory_order_relaxed);
  const uint64_t bytes = slot.length.load(std::memory_order_relaxed);
  const bool writable = slot.writable.load(std::memory_order_relaxed) != 0;
  if (opcode == WorkRequest::Opcode::kWrite && !writable) return false;
  return address >= begin && address - begin <= bytes && length <= bytes - (address - begin);
}

absl::StatusOr<KeyTable> KeyTable::Create(uint64_t memory_bytes) {
  FARGRAPH_ASSIGN_OR_RETURN(
      MappedMemory memory,
      MappedMemory::Allocate(kKeySlots * sizeof(KeySlot), MappedMemory::Sharing::kShareable,
                             MappedMemory::Pages::kSmall));
  return KeyTable(memory_bytes, std::move(memory));
}

KeyTable::KeyTable(uint64_t memory_bytes, MappedMemory memory)
    : memory_bytes_(memory_bytes), memory_(std::move(memory)), keys_(kKeySlots, 0) {
  free_slots_.reserve(kKeySlots);
  for (uint32_t slot = kKeySlots; slot-- > 0;) free_slots_.push_back(slot);
}

KeyTable::KeyTable(KeyTable&& other) noexcept
    : memory_bytes_(other.memory_bytes_), memory_(std::move(other.memory_)) {
  absl::MutexLock lock(&other.mutex_);
  keys_ = std::move(other.keys_);
  free_slots_ = std::move(other.free_slots_);
}

absl::StatusOr<RemoteKey> KeyTable::Expose(uint64_t offset, uint64_t length, Access access) {
  if (length == 0 || offset > memory_bytes_ || length > memory_bytes_ - offset) {
    return absl::InvalidArgumentError(absl::StrCat("cannot expose ", length, " bytes at offset ",
                                                   offset, " of ", memory_bytes_,
                                                   " bytes of memory"));
  }
  uint64_t random = 0;
  FARGRAPH_RETURN_IF_ERROR(
      FillRandom(absl::MakeSpan(reinterpret_cast<std::byte*>(&random), sizeof random)));

  absl::MutexLock lock(&mutex_);
  if (free_slots_.empty()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot expose more than ", kKeySlots, " pieces of memory at a time"));
  }
  const uint32_t index = free_slots_.back();
  free_slots_.pop_back();
  // The lowest random bit above the slot is set, so that no key is 0.
  const uint64_t rkey = (random & ~kSlotMask) | kKeySlots | index;
  keys_[index] = rkey;
  KeySlot& slot = SlotOf(rkey);
  slot.address.store(offset, std::memory_order_relaxed);
  slot.length.store(length, std::memory_order_relaxed);
  slot.writable.store(access == Access::kReadWrite ? 1 : 0, std::memory_order_relaxed);
  slot.rkey.store(rkey, std::memory_order_seq_cst);
  return RemoteKey{.address = offset, .rkey = rkey};
}

absl::Status KeyTable::Retire(uint64_t rkey) {
  absl::MutexLock lock(&mutex_);
  if (rkey == 0 || keys_[rkey & kSlotMask] != rkey) {
    return absl::NotFoundError("cannot revoke a key that is not exposed");
  }
  SlotOf(rkey).rkey.store(0, std::memory_order_seq_cst);
  return absl::OkStatus();
}

void KeyTable::RetireAll() {
  absl::MutexLock lock(&mutex_);
  for (const uint64_t rkey : keys_) {
    if (rkey != 0) SlotOf(rkey).rkey.store(0, std::memory_order_seq_cst);
  }
}

void KeyTable::Release(uint64_t rkey) {
  absl::MutexLock lock(&mutex_);
  const uint32_t index = rkey & kSlotMask;
  if (keys_[index] != rkey) return;
  keys_[index] = 0;
  free_slots_.push_back(index);
}

KeySlot& KeyTable::SlotOf(uint64_t rkey) const {
  return reinterpret_cast<KeySlot*>(memory_.data())[rkey & kSlotMask];
}

}  // namespace fargraph::transport
