#include "common/monotonic_time.h"

#include <chrono>

namespace fargraph {

absl::Time MonotonicNow() {
  return absl::UnixEpoch() + absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
}

void MonotonicNotification::Notify() {
  const std::lock_guard lock(mutex_);  // until the end: whoever has waited may destroy this
  notified_ = true;
  changed_.notify_all();
}

bool MonotonicNotification::WaitForNotificationWithTimeout(absl::Duration timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, absl::ToChronoNanoseconds(timeout), [this] { return notified_; });
}

}  // namespace fargraph
