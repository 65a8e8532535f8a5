#include "common/monotonic_time.h"

#include <chrono>
#include <thread>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(MonotonicTime, IsThatOfTheClockThatNobodyAdjusts) {
  const auto clock_before = std::chrono::steady_clock::now();
  const absl::Time first = MonotonicNow();
  const absl::Time second = MonotonicNow();
  const auto clock_after = std::chrono::steady_clock::now();
  EXPECT_LE(first, second);
  EXPECT_LE(second - first, absl::FromChrono(clock_after - clock_before));
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
