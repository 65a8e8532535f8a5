// What is not allowed is refused: bad requests before they are posted, bad keys by the target.
#include <atomic>
#include <cstring>
#include <thread>

#include "common/transport/conformance/fixture.h"
#include "common/units.h"

namespace fargraph::transport::conformance {
namespace {

using testing::Each;
using testing::Field;

class KeyTest : public ConformanceTest {
 protected:
  /// Of `request` on a queue pair of its own, which it may break.
  CompletionStatus CarryAlone(const Target& target,
                              const std::function<WorkRequest(const Initiator&)>& request) {
    Initiator initiator = MakeInitiator(kMiB, target);
    return initiator.CarryOne(request(initiator));
  }
};

TEST_P(KeyTest, InvalidRequestsAreRefusedWithTheirWholeBatch) {
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kMiB, target);
  const WorkRequest good = initiator.Read(0, 100, target.key, 0);

  WorkRequest empty = good;
  empty.length = 0;
  WorkRequest oversized = good;
  oversized.length = kMaxRequestBytes + 1;
  WorkRequest unregistered = good;
  unregistered.lkey += 12345;
  const WorkRequest beyond = initiator.Read(initiator.buffer.size() - 99, 100, target.key, 0);
  WorkRequest before = good;
  before.local_address -= 1;

  for (const WorkRequest& bad : {empty, oversized, unregistered, beyond, before}) {
    const std::vector<WorkRequest> batch = {good, bad, good};
    EXPECT_EQ(initiator.queue_pairs[0]->Post(batch).status().code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(initiator.queue_pairs[0]->outstanding(), 0u);
  }
  EXPECT_EQ(initiator.CarryOne(good), CompletionStatus::kSuccess);
}

TEST_P(KeyTest, ARequestThatThereIsNoRoomForIsNotChecked) {
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kMiB, target, 4);
  QueuePair& queue_pair = *initiator.queue_pairs[0];
  std::vector<WorkRequest> requests(queue_pair.capacity(), initiator.Read(0, 100, target.key, 0));
  WorkRequest empty = requests[0];
  empty.length = 0;
  requests.push_back(empty);

  EXPECT_EQ(queue_pair.Post(requests).value(), queue_pair.capacity());
  EXPECT_EQ(queue_pair.Post({&empty, 1}).value(), 0u);
  initiator.Collect(queue_pair.capacity());
  EXPECT_EQ(queue_pair.Post({&empty, 1}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_P(KeyTest, UnregisteredMemoryIsRefused) {
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kMiB, target);
  std::vector<std::byte> other(100);
  auto region = device_->RegisterMemory(absl::MakeSpan(other)).value();
  WorkRequest request = initiator.Read(0, 100, target.key, 0);
  request.local_address = other.data();
  request.lkey = region->lkey();
  EXPECT_EQ(initiator.CarryOne(request), CompletionStatus::kSuccess);
  region.reset();
  EXPECT_EQ(initiator.queue_pairs[0]->Post({&request, 1}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_P(KeyTest, AddressesOutOfTheExposedRangeFail) {
  const Target target = MakeTarget(kMiB);
  const RemoteKey key = target.listener->Expose(64 * kKiB, 1000, Access::kRead).value();
  const auto read = [&](uint64_t offset, uint64_t length) {
    return CarryAlone(
        target, [&](const Initiator& initiator) { return initiator.Read(0, length, key, offset); });
  };
  EXPECT_EQ(read(0, 1000), CompletionStatus::kSuccess);
  EXPECT_EQ(read(999, 1), CompletionStatus::kSuccess);
  EXPECT_EQ(read(0, 1001), CompletionStatus::kRemoteAccessError);
  EXPECT_EQ(read(1000, 1), CompletionStatus::kRemoteAccessError);
  EXPECT_EQ(read(uint64_t{0} - 1, 1), CompletionStatus::kRemoteAccessError);
  EXPECT_EQ(read(uint64_t{0} - 1, 2), CompletionStatus::kRemoteAccessError);
  EXPECT_EQ(read(512 * kKiB, 100), CompletionStatus::kRemoteAccessError);
  EXPECT_EQ(read(uint64_t{1} << 62, 100), CompletionStatus::kRemoteAccessError);
  EXPECT_EQ(read(uint64_t{0} - key.address - 50, 100), CompletionStatus::kRemoteAccessError);
}

TEST_P(KeyTest, AnExposedRangeIsReadFromItsStart) {
  const Target target = MakeTarget(kMiB);
  const RemoteKey key = target.listener->Expose(64 * kKiB, 1000, Access::kRead).value();
  Initiator initiator = MakeInitiator(kMiB, target);
  ASSERT_EQ(initiator.CarryOne(initiator.Read(0, 900, key, 100)), CompletionStatus::kSuccess);
  EXPECT_EQ(std::memcmp(initiator.buffer.data(), target.memory->data() + 64 * kKiB + 100, 900), 0);
}

TEST_P(KeyTest, AWrongKeyFails) {
  const Target target = MakeTarget(kMiB);
  RemoteKey wrong = target.key;
  wrong.rkey ^= 1;
  EXPECT_EQ(
      CarryAlone(target,
                 [&](const Initiator& initiator) { return initiator.Read(0, 100, wrong, 0); }),
      CompletionStatus::kRemoteAccessError);
}

TEST_P(KeyTest, AReadOnlyKeyDoesNotWrite) {
  const Target target = MakeTarget(kMiB);
  const RemoteKey key = target.listener->Expose(0, kMiB, Access::kRead).value();
  const auto write = [&](uint64_t length) {
    return CarryAlone(
        target, [&](const Initiator& initiator) { return initiator.Write(0, length, key, 4096); });
  };
  EXPECT_EQ(write(100), CompletionStatus::kRemoteAccessError);
  EXPECT_EQ(write(kMiB - 4096), CompletionStatus::kRemoteAccessError);

  Initiator reader = MakeInitiator(kMiB, target);
  ASSERT_EQ(reader.CarryOne(reader.Read(0, kMiB, target.key, 0)), CompletionStatus::kSuccess);
  std::vector<std::byte> expected(kMiB);
  FillPattern(absl::MakeSpan(expected), 1);
  EXPECT_EQ(std::memcmp(reader.buffer.data(), expected.data(), kMiB), 0);
}

TEST_P(KeyTest, ExposingBeyondTheMemoryIsRefused) {
  const Target target = MakeTarget(kMiB);
  const uint64_t size = target.memory->size();
  EXPECT_EQ(target.listener->Expose(0, size + 1, Access::kRead).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(target.listener->Expose(size, 1, Access::kRead).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(target.listener->Expose(0, 0, Access::kRead).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_P(KeyTest, ARevokedKeyFailsAndOthersStay) {
  const Target target = MakeTarget(kMiB);
  const RemoteKey key = target.listener->Expose(0, kMiB, Access::kRead).value();
  const auto read = [&](const RemoteKey& with) {
    return CarryAlone(target,
                      [&](const Initiator& initiator) { return initiator.Read(0, 4096, with, 0); });
  };
  EXPECT_EQ(read(key), CompletionStatus::kSuccess);
  ASSERT_TRUE(target.listener->Revoke(key).ok());
  EXPECT_EQ(read(key), CompletionStatus::kRemoteAccessError);
  EXPECT_EQ(read(target.key), CompletionStatus::kSuccess);
  EXPECT_EQ(target.listener->Revoke(key).code(), absl::StatusCode::kNotFound);
}

constexpr uint64_t kRevokedBytes = 256 * kKiB;
constexpr size_t kSlots = 8;

/// Keeps kSlots requests going, the one on slot i being `request(i)`, until one fails; returns that
/// failure when none is outstanding any more. Calls `check(i)` when the one on slot i has
/// succeeded.
CompletionStatus CarryUntilFailure(Initiator& initiator,
                                   const std::function<WorkRequest(uint64_t)>& request,
                                   const std::function<void(uint64_t)>& check) {
  QueuePair& queue_pair = *initiator.queue_pairs[0];
  CompletionStatus failure = CompletionStatus::kSuccess;
  const absl::Time deadline = absl::Now() + kLimit;
  for (uint64_t next = 0; absl::Now() < deadline;) {
    // Slots complete in turn, so the next one is free when any is.
    while (failure == CompletionStatus::kSuccess && queue_pair.outstanding() < kSlots) {
      WorkRequest posted = request(next % kSlots);
      posted.wr_id = next % kSlots;
      if (queue_pair.Post({&posted, 1}).value_or(0) == 0) break;
      ++next;
    }
    Completion completion;
    if (initiator.completion_queue->Poll({&completion, 1}) == 0) {
      if (failure != CompletionStatus::kSuccess && queue_pair.outstanding() == 0) return failure;
      initiator.completion_queue->Wait(absl::Milliseconds(10));
    } else if (failure == CompletionStatus::kSuccess) {
      failure = completion.status;
      if (failure == CompletionStatus::kSuccess) check(completion.wr_id);
    }
  }
  return failure;
}

TEST_P(KeyTest, ReadsUnderAKeyThatIsRevokedSeeNothingWrittenAfterwards) {
  Target target = MakeTarget(kMiB);
  const RemoteKey key = target.listener->Expose(0, kRevokedBytes, Access::kRead).value();
  std::vector<std::byte> expected(kRevokedBytes);
  FillPattern(absl::MakeSpan(expected), 1);

  std::atomic<int> successes{0};
  CompletionStatus failure = CompletionStatus::kSuccess;
  std::thread reader([&] {
    Initiator initiator = MakeInitiator(kSlots * kRevokedBytes, target, kSlots);
    failure = CarryUntilFailure(
        initiator,
        [&](uint64_t slot) { return initiator.Read(slot * kRevokedBytes, kRevokedBytes, key, 0); },
        [&](uint64_t slot) {
          EXPECT_EQ(std::memcmp(initiator.buffer.data() + slot * kRevokedBytes, expected.data(),
                                kRevokedBytes),
                    0);
          ++successes;
        });
  });
  while (successes < 20) absl::SleepFor(absl::Milliseconds(1));
  EXPECT_TRUE(target.listener->Revoke(key).ok());
  std::memset(target.memory->data(), 0xEE, kRevokedBytes);
  reader.join();
  // An RDMA device that is caught in the middle of a reply may fall silent instead.
  EXPECT_THAT(failure, testing::AnyOf(CompletionStatus::kRemoteAccessError,
                                      CompletionStatus::kRetryExceeded));
}

TEST_P(KeyTest, WritesUnderAKeyThatIsRevokedTouchNothingAfterwards) {
  Target target = MakeTarget(kMiB);
  const RemoteKey key = target.listener->Expose(0, kRevokedBytes, Access::kReadWrite).value();
  std::atomic<int> successes{0};
  CompletionStatus failure = CompletionStatus::kSuccess;
  std::thread writer([&] {
    Initiator initiator = MakeInitiator(kRevokedBytes, target, kSlots);
    failure = CarryUntilFailure(
        initiator, [&](uint64_t) { return initiator.Write(0, kRevokedBytes, key, 0); },
        [&](uint64_t) { ++successes; });
  });
  while (successes < 20) absl::SleepFor(absl::Milliseconds(1));
  EXPECT_TRUE(target.listener->Revoke(key).ok());
  std::memset(target.memory->data(), 0xEE, kRevokedBytes);
  writer.join();
  EXPECT_EQ(failure, CompletionStatus::kRemoteAccessError);
  for (uint64_t i = 0; i < kRevokedBytes; ++i) {
    ASSERT_EQ(target.memory->data()[i], std::byte{0xEE}) << i;
  }
}

TEST_P(KeyTest, KeysComeAndGoWhileOthersAreUsed) {
  const Target target = MakeTarget(kMiB);
  std::atomic<bool> stop{false};
  std::vector<std::thread> exposers;
  for (uint64_t t = 0; t < 2; ++t) {
    exposers.emplace_back([&, t] {
      while (!stop) {
        const auto key = target.listener->Expose(t * 4096, 4096, Access::kRead);
        ASSERT_TRUE(key.ok()) << key.status();
        ASSERT_TRUE(target.listener->Revoke(*key).ok());
      }
    });
  }
  Initiator initiator = MakeInitiator(kMiB, target, 16);
  const std::vector<WorkRequest> requests(2000, initiator.Read(0, 4096, target.key, 0));
  EXPECT_THAT(initiator.Carry(*initiator.queue_pairs[0], requests),
              Each(Field(&Completion::status, CompletionStatus::kSuccess)));
  stop = true;
  for (std::thread& exposer : exposers) exposer.join();
}

INSTANTIATE_TEST_SUITE_P(Transports, KeyTest, testing::ValuesIn(Cases()), CaseName);

}  // namespace
}  // namespace fargraph::transport::conformance
