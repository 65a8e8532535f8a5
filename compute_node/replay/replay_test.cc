#include "compute_node/replay/replay.h"

#include <atomic>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "compute_node/testing/fake_tier.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;

std::vector<ReplayOutcome> Plan(const BlockTrace& trace, const ReplayOptions& options) {
  auto outcomes = Replay(trace, options, /*reader=*/nullptr);
  EXPECT_TRUE(outcomes.ok()) << outcomes.status();
  return *std::move(outcomes);
}

std::vector<std::string> Names(const std::vector<ReplayOutcome>& outcomes) {
  std::vector<std::string> names;
  for (const ReplayOutcome& outcome : outcomes) names.push_back(outcome.way);
  return names;
}

/// 40 requests: the same two blocks over and over, each time with one far away.
BlockTrace Repeating() {
  BlockTrace trace = {.device_bytes = 1 << 20};
  for (uint64_t i = 0; i < 20; ++i) {
    trace.requests.push_back({1024, 1024});
    trace.requests.push_back({(100 + 50 * i) * 512, 512});
  }
  return trace;
}

TEST(Replay, TheLongerTheWindowTheLessIsReadTwice) {
  const auto outcomes = Plan(Repeating(), {.merge_gap = 0});
  EXPECT_THAT(Names(outcomes), ElementsAre("direct", "batch", "list", "bitmap"));
  EXPECT_EQ(outcomes[0].requests, 40u);
  EXPECT_EQ(outcomes[0].bytes, 20 * (1024 + 512u));
  EXPECT_EQ(outcomes[1].requests, 20u + 3);
  EXPECT_EQ(outcomes[1].bytes, 3 * 1024 + 20 * 512u);
  for (const ReplayOutcome& whole : {outcomes[2], outcomes[3]}) {
    EXPECT_EQ(whole.requests, 20u + 1);
    EXPECT_EQ(whole.bytes, 1024 + 20 * 512u);
    EXPECT_EQ(whole.useful_bytes, whole.bytes);
    EXPECT_EQ(whole.seconds, std::nullopt);
  }
}

TEST(Replay, GapsAndEndsOfBlocksAreNotUseful) {
  const auto outcomes = Plan(Repeating(), {.block_bytes = 4096, .merge_gap = 1000});
  EXPECT_EQ(outcomes[0].useful_bytes, 20 * (1024 + 512u));
  EXPECT_EQ(outcomes[0].bytes, 40 * 4096u);
  EXPECT_EQ(outcomes[3].requests, 1u);
  EXPECT_EQ(outcomes[3].useful_bytes, 1024 + 20 * 512u);
  EXPECT_EQ(outcomes[3].bytes, 4096u * ((100 + 50 * 19) / 8 + 1));
}

TEST(Replay, AWindowIsPlannedByItself) {
  const auto outcomes = Plan(Repeating(), {.merge_gap = 0, .window = 10});
  EXPECT_EQ(outcomes[3].requests, 20u + 4);
  EXPECT_EQ(outcomes[3].useful_bytes, 4 * 1024 + 20 * 512u);
  EXPECT_EQ(outcomes[2].requests, outcomes[3].requests);
}

TEST(Replay, RequestsOfTheSameTimeArePlannedTogether) {
  BlockTrace trace = Repeating();
  trace.moment_ends = {10, 12, 40};
  const auto outcomes = Plan(trace, {.merge_gap = 0, .window = 10, .same_time = true});
  EXPECT_EQ(outcomes[3].requests, 20u + 3);
  EXPECT_EQ(outcomes[3].useful_bytes, 3 * 1024 + 20 * 512u);
  EXPECT_EQ(outcomes[2].requests, outcomes[3].requests);
  EXPECT_EQ(outcomes[1].requests, 20u + 3);  // still 16 at a time
}

TEST(Replay, UsefulBytesCountEveryByteOnceInAWindow) {
  BlockTrace trace = {.requests = {{10, 10}, {0, 100}, {95, 10}, {200, 1}}, .device_bytes = 512};
  EXPECT_EQ(AskedBytes(trace), 121u);
  for (const auto& [window, useful] : {std::pair{1, 121u}, {2, 100u + 11}, {4, 106u}}) {
    const auto outcomes = Plan(trace, {.window = static_cast<uint64_t>(window)});
    EXPECT_EQ(outcomes[3].useful_bytes, useful);
  }
}

class ReplayWithReader : public ::testing::Test {
 protected:
  ReplayWithReader() {
    std::mt19937_64 random(3);
    for (int i = 0; i < 10000; ++i) {
      trace_.requests.push_back({random() % 60000, 1 + random() % 5000});
    }
  }

  BlockReader MakeReader(std::unique_ptr<TierQueue> queue, uint32_t depth,
                         const std::atomic<bool>* cancelled = nullptr) {
    auto reader = BlockReader::Create(std::move(queue), {.address = 4096,
                                                         .block_bytes = 512,
                                                         .most_blocks = 3,
                                                         .depth = depth,
                                                         .cancelled = cancelled});
    EXPECT_TRUE(reader.ok()) << reader.status();
    return *std::move(reader);
  }

  BlockTrace trace_ = {.device_bytes = 65536};
  std::vector<std::byte> device_ = std::vector<std::byte>(4096 + 65536);
};

TEST_F(ReplayWithReader, ReadsAllThatIsPlannedWhateverTheDepth) {
  for (const uint32_t depth : {1, 7, 64}) {
    auto tier = std::make_unique<FakeTier>(absl::MakeSpan(device_), /*seed=*/depth);
    const FakeTier& queue = *tier;
    BlockReader reader = MakeReader(std::move(tier), depth);
    const auto outcomes = Replay(trace_, {.merge_gap = 1, .most_blocks = 3}, &reader);
    ASSERT_TRUE(outcomes.ok()) << outcomes.status();
    TierTraffic planned;
    for (const ReplayOutcome& outcome : *outcomes) {
      planned.requests += outcome.requests;
      planned.bytes += outcome.bytes;
      EXPECT_GE(outcome.seconds.value(), outcome.plan_seconds);
    }
    EXPECT_EQ(queue.traffic().requests, planned.requests);
    EXPECT_EQ(queue.traffic().bytes, planned.bytes);
    EXPECT_EQ(queue.in_flight(), 0u);
  }
}

TEST_F(ReplayWithReader, ADeviceThatFailsEndsIt) {
  BlockReader reader = MakeReader(
      std::make_unique<FakeTier>(absl::MakeSpan(device_), /*seed=*/1, /*fail_after=*/5000), 16);
  EXPECT_EQ(Replay(trace_, {.most_blocks = 3}, &reader).status().code(),
            absl::StatusCode::kUnavailable);
}

TEST_F(ReplayWithReader, StopsWhenItIsCancelled) {
  const std::atomic<bool> cancelled = true;
  BlockReader reader =
      MakeReader(std::make_unique<FakeTier>(absl::MakeSpan(device_), /*seed=*/1), 16, &cancelled);
  EXPECT_EQ(Replay(trace_, {.most_blocks = 3}, &reader).status().code(),
            absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace fargraph
