#include "common/transport/verbs/event_thread.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/unique_fd.h"
#include "gtest/gtest.h"

namespace fargraph::transport::verbs {
namespace {

/// A pipe that an EventThread reads. Its descriptor reports that it has hung up, for ever, once the
/// other end is closed, as those of a device do that has gone.
class EventThreadTest : public testing::Test {
 protected:
  void SetUp() override {
    std::array<int, 2> ends;
    ASSERT_EQ(pipe(ends.data()), 0);
    read_end_ = UniqueFd(ends[0]);
    write_end_ = UniqueFd(ends[1]);
    SetNonBlocking(read_end_.get());
    std::vector<EventThread::Source> sources;
    sources.push_back({read_end_.get(), [this] { Read(); }});
    thread_ = *EventThread::Start(std::move(sources));
  }

  void Read() {
    char byte = 0;
    while (read(read_end_.get(), &byte, 1) > 0) ++bytes_;
    ++calls_;
  }

  void AwaitCalls(int count) {
    const absl::Time limit = absl::Now() + absl::Seconds(30);
    while (calls_ < count && absl::Now() < limit) absl::SleepFor(absl::Milliseconds(1));
  }

  UniqueFd read_end_, write_end_;
  std::atomic<int> calls_{0};
  std::atomic<int> bytes_{0};
  std::unique_ptr<EventThread> thread_;
};

TEST_F(EventThreadTest, ADescriptorThatHasHungUpIsNotPolledAgainAndAgain) {
  write_end_ = UniqueFd();
  AwaitCalls(1);
  absl::SleepFor(absl::Milliseconds(50));
  EXPECT_EQ(calls_, 1);
  thread_->Wake();
  AwaitCalls(2);
  EXPECT_EQ(calls_, 2);
}

TEST_F(EventThreadTest, WhatCameBeforeADescriptorHungUpIsRead) {
  ASSERT_EQ(write(write_end_.get(), "ab", 2), 2);
  write_end_ = UniqueFd();
  AwaitCalls(1);
  EXPECT_EQ(bytes_, 2);
}

}  // namespace
}  // namespace fargraph::transport::verbs
