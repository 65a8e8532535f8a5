#include "common/monotonic_time.h"

#include <chrono>
#include <thread>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(MonotonicTime, IsThatOfTheClockThatNobodyAdjusts) {
  const auto before = std::chrono::steady_clock::now().time_since_epoch();
  const absl::Duration now = MonotonicNow() - absl::UnixEpoch();
  const auto after = std::chrono::steady_clock::now().time_since_epoch();
  EXPECT_LE(absl::FromChrono(before), now);
  EXPECT_LE(now, absl::FromChrono(after));
}

TEST(MonotonicNotification, EndsAWait) {
  MonotonicNotification notification;
  std::thread notifier([&] { notification.Notify(); });
  EXPECT_TRUE(notification.WaitForNotificationWithTimeout(absl::Hours(1)));
  notifier.join();
  EXPECT_TRUE(notification.WaitForNotificationWithTimeout(absl::ZeroDuration()));
}

TEST(MonotonicNotification, AWaitLastsAsLongAsItsTimeout) {
  constexpr absl::Duration kTimeout = absl::Milliseconds(20);
  MonotonicNotification notification;
  const absl::Time begin = MonotonicNow();
  EXPECT_FALSE(notification.WaitForNotificationWithTimeout(kTimeout));
  EXPECT_GE(MonotonicNow() - begin, kTimeout);
}

}  // namespace
}  // namespace fargraph
