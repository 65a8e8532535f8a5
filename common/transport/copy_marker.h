#ifndef FARGRAPH_COMMON_TRANSPORT_COPY_MARKER_H_
#define FARGRAPH_COMMON_TRANSPORT_COPY_MARKER_H_

#include <atomic>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace fargraph::transport {

/// Shows others when one thread is copying from or to exposed memory, so that a key can be revoked
/// without a lock on the copying side. The copier calls Enter, looks its keys up, copies, and calls
/// Leave; the revoker takes the key away and calls AwaitCopyEnd. Both sides are sequentially
/// consistent, so either the copier's look-up misses the key, or the revoker sees it copying and
/// waits. May live in memory that two processes share.
class CopyMarker {
 public:
  void Enter() { epoch_.fetch_add(1, std::memory_order_seq_cst); }
  void Leave() { epoch_.fetch_add(1, std::memory_order_release); }

  /// Waits until a copy that is going on now has ended; false when `give_up` says so first.
  bool AwaitCopyEnd(absl::FunctionRef<bool()> give_up) const {
    const uint64_t epoch = epoch_.load(std::memory_order_seq_cst);
    if (epoch % 2 == 0) return true;
    while (epoch_.load(std::memory_order_acquire) == epoch) {
      if (give_up()) return false;
      absl::SleepFor(absl::Microseconds(20));
    }
    return true;
  }

 private:
  std::atomic<uint64_t> epoch_{0};  ///< odd while copying
};
static_assert(std::atomic<uint64_t>::is_always_lock_free, "shared between processes");

}  // namespace fargraph::transport

#endif  // FARGRAPH_COMMON_TRANSPORT_COPY_MARKER_H_
