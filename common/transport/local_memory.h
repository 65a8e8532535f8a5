#ifndef FARGRAPH_COMMON_TRANSPORT_LOCAL_MEMORY_H_
#define FARGRAPH_COMMON_TRANSPORT_LOCAL_MEMORY_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "common/transport/transport.h"

namespace fargraph::transport {

/// The registered local memory of a software device: gives out lkeys and checks requests against
/// them. Any thread may call.
class LocalMemoryTable {
 public:
  static constexpr size_t kMaxRegions = 4096;

  /// InvalidArgument when `memory` is empty, ResourceExhausted beyond kMaxRegions. The table must
  /// outlive the region.
  absl::StatusOr<std::unique_ptr<MemoryRegion>> Register(absl::Span<std::byte> memory);

  /// Whether [address, address + length) lies within the region that `lkey` names. Takes no lock.
  bool Contains(uint32_t lkey, const std::byte* address, uint64_t length) const;

 private:
  class Region;

  /// `lkey` is 0 while the slot is free. Begin and end change only while it is.
  struct Slot {
    std::atomic<uint32_t> lkey{0};
    std::atomic<uintptr_t> begin{0};
    std::atomic<uintptr_t> end{0};
  };

  void Unregister(uint32_t lkey);

  std::array<Slot, kMaxRegions> slots_;
  absl::Mutex mutex_;
  uint32_t registered_total_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace fargraph::transport

#endif  // FARGRAPH_COMMON_TRANSPORT_LOCAL_MEMORY_H_
