#include "common/transport/faulty/faulty_device.h"

#include <bit>
#include <cstring>
#include <vector>

#include "common/monotonic_time.h"
#include "common/transport/conformance/fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport {
namespace {

using conformance::FillPattern;
using conformance::Initiator;
using testing::Contains;
using testing::Each;
using testing::Field;

constexpr uint64_t kBytes = 1 << 20;
constexpr uint64_t kLength = 1000;
constexpr size_t kRequests = 200;

/// A listener of a sound device, and reads through a faulty one.
class FaultyDeviceTest : public testing::Test {
 protected:
  FaultyDeviceTest()
      : memory_(MappedMemory::Allocate(kBytes, MappedMemory::Sharing::kShareable).value()),
        target_(OpenDevice(Kind::kShm).value()),
        listener_(
            target_
                ->Listen(
                    {.host = "", .memory = &memory_, .admit = [](const Ticket&) { return true; }})
                .value()),
        key_(listener_->Expose(0, kBytes, Access::kRead).value()) {
    FillPattern(memory_.bytes(), 1);
  }

  /// The statuses of kRequests reads on one queue pair, posted at once. Their bytes stay in
  /// buffer_, one read after the other.
  std::vector<CompletionStatus> Read(const FaultOptions& options) {
    const auto device = MakeFaultyDevice(OpenDevice(Kind::kShm).value(), options);
    Initiator initiator;
    initiator.buffer = MappedMemory::Allocate(kRequests * kLength).value();
    initiator.region = device->RegisterMemory(initiator.buffer.bytes()).value();
    initiator.completion_queue = device->CreateCompletionQueue(kRequests).value();
    initiator.queue_pairs.push_back(device
                                        ->Connect(listener_->endpoint(), {},
                                                  *initiator.completion_queue,
                                                  {.capacity = kRequests})
                                        .value());
    std::vector<WorkRequest> requests;
    for (size_t i = 0; i < kRequests; ++i) {
      requests.push_back(initiator.Read(i * kLength, kLength, key_, i * kLength, i));
    }
    std::vector<CompletionStatus> statuses;
    for (const Completion& completion : initiator.Carry(*initiator.queue_pairs[0], requests)) {
      EXPECT_EQ(completion.wr_id, statuses.size());
      statuses.push_back(completion.status);
    }
    queue_pair_is_broken_ = !initiator.queue_pairs[0]->Post(requests).ok();
    buffer_.assign(initiator.buffer.data(), initiator.buffer.data() + kRequests * kLength);
    return statuses;
  }

  /// Bits that differ from the exposed memory, by read.
  std::vector<int> WrongBits() const {
    std::vector<int> wrong(kRequests, 0);
    for (size_t i = 0; i < kRequests * kLength; ++i) {
      wrong[i / kLength] += std::popcount(std::to_integer<uint8_t>(buffer_[i] ^ memory_.data()[i]));
    }
    return wrong;
  }

  /// As many successes as come first, then `failure`, then nothing but flushed requests.
  static void ExpectBrokenBy(CompletionStatus failure,
                             const std::vector<CompletionStatus>& statuses) {
    size_t i = 0;
    while (i < statuses.size() && statuses[i] == CompletionStatus::kSuccess) ++i;
    ASSERT_LT(i, statuses.size());
    EXPECT_EQ(statuses[i++], failure);
    for (; i < statuses.size(); ++i) EXPECT_EQ(statuses[i], CompletionStatus::kFlushed);
  }

  MappedMemory memory_;
  std::unique_ptr<Device> target_;
  std::unique_ptr<Listener> listener_;
  RemoteKey key_;
  std::vector<std::byte> buffer_;
  bool queue_pair_is_broken_ = false;
};

TEST_F(FaultyDeviceTest, ADroppedRequestTimesOutAndBreaksTheQueuePair) {
  const auto statuses = Read({.seed = 1, .drop = 0.02, .drop_timeout = absl::Milliseconds(20)});
  ExpectBrokenBy(CompletionStatus::kRetryExceeded, statuses);
  EXPECT_TRUE(queue_pair_is_broken_);
}

TEST_F(FaultyDeviceTest, AFailedRequestIsAnAccessError) {
  ExpectBrokenBy(CompletionStatus::kRemoteAccessError, Read({.seed = 1, .fail = 0.02}));
  EXPECT_TRUE(queue_pair_is_broken_);
}

TEST_F(FaultyDeviceTest, DelayedRequestsSucceedInOrder) {
  EXPECT_THAT(Read({.seed = 1, .delay = 0.1, .delay_time = absl::Milliseconds(1)}),
              Each(CompletionStatus::kSuccess));
  EXPECT_THAT(WrongBits(), Each(0));
  EXPECT_FALSE(queue_pair_is_broken_);
}

TEST_F(FaultyDeviceTest, DelayedRequestsTakeTheirTime) {
  constexpr absl::Duration kDelay = absl::Milliseconds(20);
  const absl::Time begin = MonotonicNow();
  Read({.seed = 1, .delay = 1, .delay_time = kDelay});
  EXPECT_GE(MonotonicNow() - begin, kDelay);
}

TEST_F(FaultyDeviceTest, CorruptionFlipsOneBitOfSomeReads) {
  EXPECT_THAT(Read({.seed = 1, .corrupt = 0.5}), Each(CompletionStatus::kSuccess));
  EXPECT_THAT(WrongBits(), Contains(1));
  EXPECT_THAT(WrongBits(), Contains(0));
  EXPECT_THAT(WrongBits(), Each(testing::Le(1)));
}

TEST_F(FaultyDeviceTest, TheSeedDecidesWhatGoesWrong) {
  const FaultOptions options = {.seed = 7, .fail = 0.01, .corrupt = 0.3};
  const auto statuses = Read(options);
  const auto wrong_bits = WrongBits();
  EXPECT_EQ(Read(options), statuses);
  EXPECT_EQ(WrongBits(), wrong_bits);
  FaultOptions other = options;
  other.seed = 8;
  Read(other);
  EXPECT_NE(WrongBits(), wrong_bits);
}

TEST_F(FaultyDeviceTest, ProbabilitiesAreThoseAskedFor) {
  Read({.seed = 3, .corrupt = 0.25});
  const std::vector<int> wrong = WrongBits();
  const auto corrupted = std::count(wrong.begin(), wrong.end(), 1);
  EXPECT_GT(corrupted, 30);
  EXPECT_LT(corrupted, 70);
}

}  // namespace
}  // namespace fargraph::transport
