#ifndef FARGRAPH_COMMON_TRANSPORT_KEY_TABLE_H_
#define FARGRAPH_COMMON_TRANSPORT_KEY_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "common/memory/mapped_memory.h"
#include "common/random.h"
#include "common/transport/transport.h"

namespace fargraph::transport {

/// One exposed range as it lies in the table's shareable memory. `rkey` is 0 while the slot is
/// free; the other fields change only then.
struct KeySlot {
  std::atomic<uint64_t> rkey;
  std::atomic<uint64_t> address;
  std::atomic<uint64_t> length;
  std::atomic<uint64_t> writable;
};

inline constexpr size_t kKeySlots = size_t{1} << 16;

/// The keys of a listener as those see them that carry out requests: its own threads, or its peers
/// through a read-only mapping. Any thread; takes no lock. Addresses count from the start of the
/// listener's memory.
class KeyTableView {
 public:
  KeyTableView() = default;
  /// `memory` holds kKeySlots slots and must outlive the view.
  explicit KeyTableView(const std::byte* memory)
      : slots_(reinterpret_cast<const KeySlot*>(memory)) {}

  /// Whether the key is live.
  bool Live(uint64_t rkey) const;
  /// Whether the key is live and lets [address, address + length) be read, or written.
  bool Allows(uint64_t rkey, uint64_t address, uint64_t length, WorkRequest::Opcode opcode) const;

 private:
  const KeySlot* slots_ = nullptr;
};

/// The keys of a listener, in memory that can be shared with its peers. A key is a random number
/// whose low bits name its slot, so that a look-up is one step and a key never comes back. Any
/// thread may call.
class KeyTable {
 public:
  /// For keys to `memory_bytes` of memory.
  static absl::StatusOr<KeyTable> Create(uint64_t memory_bytes);
  KeyTable(KeyTable&& other) noexcept;
  KeyTable& operator=(KeyTable&&) = delete;

  /// InvalidArgument when the range is empty or beyond the memory; ResourceExhausted when kKeySlots
  /// keys are live.
  absl::StatusOr<RemoteKey> Expose(uint64_t offset, uint64_t length, Access access);

  /// No look-up finds the key from now on; its slot is not used again before Release. NotFound when
  /// there is no such key; calling it twice is fine.
  absl::Status Retire(uint64_t rkey);
  void RetireAll();
  /// The slot of a retired key may be used again.
  void Release(uint64_t rkey);

  KeyTableView view() const { return KeyTableView(memory_.data()); }
  /// The memfd that holds the table.
  int fd() const { return memory_.fd(); }

 private:
  KeyTable(uint64_t memory_bytes, MappedMemory memory);

  KeySlot& SlotOf(uint64_t rkey) const;

  uint64_t memory_bytes_;
  MappedMemory memory_;
  mutable absl::Mutex mutex_;
  std::vector<uint64_t> keys_ ABSL_GUARDED_BY(mutex_);        ///< by slot, until Release; 0 is free
  std::vector<uint32_t> free_slots_ ABSL_GUARDED_BY(mutex_);  ///< the last one is used next
};

}  // namespace fargraph::transport

#endif  // FARGRAPH_COMMON_TRANSPORT_KEY_TABLE_H_
