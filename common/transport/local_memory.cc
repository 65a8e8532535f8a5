#include "common/transport/local_memory.h"

#include "absl/strings/str_cat.h"

namespace fargraph::transport {

class LocalMemoryTable::Region final : public MemoryRegion {
 public:
  Region(LocalMemoryTable& table, uint32_t lkey) : table_(table), lkey_(lkey) {}
  ~Region() override { table_.Unregister(lkey_); }

  uint32_t lkey() const override { return lkey_; }

 private:
  LocalMemoryTable& table_;
  const uint32_t lkey_;
};

absl::StatusOr<std::unique_ptr<MemoryRegion>> LocalMemoryTable::Register(
    absl::Span<std::byte> memory) {
  if (memory.empty()) return absl::InvalidArgumentError("cannot register an empty memory region");
  absl::MutexLock lock(&mutex_);
  for (size_t tried = 0; tried < kMaxRegions; ++tried) {
    const uint32_t lkey = ++registered_total_;  // its low bits are the slot's index
    Slot& slot = slots_[lkey % kMaxRegions];
    if (lkey == 0 || slot.lkey.load(std::memory_order_relaxed) != 0) continue;
    slot.begin.store(reinterpret_cast<uintptr_t>(memory.data()), std::memory_order_relaxed);
    slot.end.store(reinterpret_cast<uintptr_t>(memory.data() + memory.size()),
                   std::memory_order_relaxed);
    slot.lkey.store(lkey, std::memory_order_release);
    return std::make_unique<Region>(*this, lkey);
  }
  return absl::ResourceExhaustedError(
      absl::StrCat("cannot register more than ", kMaxRegions,
                   " memory regions; register fewer and larger ones"));
}

bool LocalMemoryTable::Contains(uint32_t lkey, const std::byte* address, uint64_t length) const {
  const Slot& slot = slots_[lkey % kMaxRegions];
  if (lkey == 0 || slot.lkey.load(std::memory_order_acquire) != lkey) return false;
  const uintptr_t begin = slot.begin.load(std::memory_order_relaxed);
  const uintptr_t end = slot.end.load(std::memory_order_relaxed);
  const auto first = reinterpret_cast<uintptr_t>(address);
  return first >= begin && first <= end && length <= end - first;
}

void LocalMemoryTable::Unregister(uint32_t lkey) {
  slots_[lkey % kMaxRegions].lkey.store(0, std::memory_order_release);
}

}  // namespace fargraph::transport
