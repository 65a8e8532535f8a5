#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_LOCAL_REGIONS_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_LOCAL_REGIONS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "common/transport/transport.h"
#include "common/transport/verbs/handles.h"

namespace fargraph::transport::verbs {

/// Registers memory with a device. Relaxed ordering is asked for; a device or kernel without it
/// goes without. `access` holds further IBV_ACCESS flags.
absl::StatusOr<RegisteredMemory> RegisterWithDevice(ibv_pd* domain, absl::Span<std::byte> memory,
                                                    int access);

/// The local memory that a device may read into and write from. Any thread may call.
class LocalRegions {
 public:
  struct Extent {
    uint32_t lkey = 0;
    uintptr_t begin = 0;
    uintptr_t end = 0;
  };

  /// The regions must outlive what Register returns, and the domain must outlive both.
  explicit LocalRegions(ibv_pd* domain) : domain_(domain) {}

  absl::StatusOr<std::unique_ptr<MemoryRegion>> Register(absl::Span<std::byte> memory);

  /// Empty when there is no such region.
  Extent Find(uint32_t lkey) const;
  /// Changes with every unregistration; what Find answered holds until then.
  uint64_t generation() const { return generation_.load(std::memory_order_acquire); }

 private:
  class Region;

  ibv_pd* const domain_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<uint32_t, Extent> extents_ ABSL_GUARDED_BY(mutex_);
  std::atomic<uint64_t> generation_{0};
};

/// Checks the requests of one queue pair against the regions, without a lock as long as they use
/// the same region. One thread.
class LocalRegionChecker {
 public:
  explicit LocalRegionChecker(const LocalRegions& regions) : regions_(regions) {}

  /// Whether [address, address + length) lies within the region that `lkey` names.
  bool Contains(uint32_t lkey, const std::byte* address, uint64_t length);

 private:
  const LocalRegions& regions_;
  uint64_t generation_ = 0;
  LocalRegions::Extent last_;
};

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_LOCAL_REGIONS_H_
