#ifndef FARGRAPH_COMMON_MONOTONIC_TIME_H_
#define FARGRAPH_COMMON_MONOTONIC_TIME_H_

#include <condition_variable>
#include <mutex>

#include "absl/time/time.h"

namespace fargraph {

/// The time since some fixed moment of this host, which no adjustment of its clock moves. For
/// differences alone: it is no date, so it is neither printed nor compared with absl::Now() or with
/// another host's. Any thread may call.
absl::Time MonotonicNow();

/// As absl::Notification, whose waits with a timeout a step of the host's clock cuts or stretches.
/// Any thread may call.
class MonotonicNotification {
 public:
  /// Ends all waits, now and later.
  void Notify();
  /// Whether it was notified before the timeout had passed.
  bool WaitForNotificationWithTimeout(absl::Duration timeout);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool notified_ = false;  ///< under mutex_
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_MONOTONIC_TIME_H_
