// What is read and written arrives: every size, every alignment, in order, however much is
// outstanding.
#include <algorithm>
#include <cstring>
#include <thread>

#include "common/transport/conformance/fixture.h"
#include "common/units.h"

namespace fargraph::transport::conformance {
namespace {

/// From 1 B to 64 MiB: powers of two and their neighbours, and primes. Above 1 MiB one of each
/// three, to spare an emulated device.
std::vector<uint64_t> Sizes() {
  std::vector<uint64_t> sizes = {3, 7, 13, 101, 1009, 10007, 100003, 1000003, kMaxRequestBytes};
  for (uint64_t size = 1; size <= kMiB; size *= 2) {
    for (const uint64_t near : {size - 1, size, size + 1}) {
      if (near > 0) sizes.push_back(near);
    }
  }
  for (uint64_t size = 2 * kMiB, i = 0; size < kMaxRequestBytes; size *= 2, ++i) {
    sizes.push_back(size - 1 + i % 3);
  }
  return sizes;
}

/// Offsets that pass through all alignments to a cache line, and straddle pages.
uint64_t Misalign(size_t i) { return (i * 37) % 64 + (i % 3) * 4061; }
constexpr uint64_t kSlack = 16 * kKiB;

class DataTest : public ConformanceTest {};

TEST_P(DataTest, ReadsOfEverySizeAtAnyAlignment) {
  const Target target = MakeTarget(kMaxRequestBytes + kSlack);
  Initiator initiator = MakeInitiator(kMaxRequestBytes + kSlack, target);
  size_t i = 0;
  for (const uint64_t size : Sizes()) {
    const uint64_t remote = Misalign(i);
    const uint64_t local = 1 + Misalign(i++ * 5 + 1);
    std::byte* destination = initiator.buffer.data() + local;
    destination[-1] = destination[size] = std::byte{0xAB};
    ASSERT_EQ(initiator.CarryOne(initiator.Read(local, size, target.key, remote, size)),
              CompletionStatus::kSuccess)
        << size;
    ASSERT_EQ(std::memcmp(destination, target.memory->data() + remote, size), 0) << size;
    ASSERT_EQ(destination[-1], std::byte{0xAB}) << size;
    ASSERT_EQ(destination[size], std::byte{0xAB}) << size;
  }
}

TEST_P(DataTest, WritesOfEverySizeAtAnyAlignmentAreReadBack) {
  const Target target = MakeTarget(kMaxRequestBytes + kSlack);
  Initiator writer = MakeInitiator(kMaxRequestBytes + kSlack, target);
  Initiator reader = MakeInitiator(kMaxRequestBytes + kSlack, target);
  FillPattern(writer.buffer.bytes(), 77);
  size_t i = 0;
  for (const uint64_t size : Sizes()) {
    const uint64_t remote = 1 + Misalign(i * 5 + 1);
    const uint64_t local = Misalign(i++);
    ASSERT_EQ(reader.CarryOne(reader.Read(0, 1, target.key, remote - 1)),
              CompletionStatus::kSuccess);
    ASSERT_EQ(reader.CarryOne(reader.Read(1, 1, target.key, remote + size)),
              CompletionStatus::kSuccess);
    const std::byte before = reader.buffer.data()[0];
    const std::byte after = reader.buffer.data()[1];

    ASSERT_EQ(writer.CarryOne(writer.Write(local, size, target.key, remote)),
              CompletionStatus::kSuccess)
        << size;
    // With a byte on either side, where one request can hold it.
    const uint64_t margin = size + 2 <= kMaxRequestBytes ? 1 : 0;
    ASSERT_EQ(
        reader.CarryOne(reader.Read(1 - margin, size + 2 * margin, target.key, remote - margin)),
        CompletionStatus::kSuccess)
        << size;
    ASSERT_EQ(std::memcmp(reader.buffer.data() + 1, writer.buffer.data() + local, size), 0) << size;
    if (margin == 0) continue;
    ASSERT_EQ(reader.buffer.data()[0], before) << size;
    ASSERT_EQ(reader.buffer.data()[1 + size], after) << size;
  }
}

/// Reads of `length` bytes at scattered offsets, one after the other in the local buffer.
std::vector<WorkRequest> ScatteredReads(const Initiator& initiator, const Target& target,
                                        size_t count, uint64_t length) {
  std::vector<WorkRequest> requests;
  const uint64_t span = target.memory->size() - length;
  for (size_t i = 0; i < count; ++i) {
    requests.push_back(initiator.Read(i * length, length, target.key, (i * 7919 * 61) % span, i));
  }
  return requests;
}

void ExpectInOrderAndSuccessful(const std::vector<Completion>& completions, size_t count) {
  ASSERT_EQ(completions.size(), count);
  for (size_t i = 0; i < count; ++i) {
    ASSERT_EQ(completions[i].wr_id, i);
    ASSERT_EQ(completions[i].status, CompletionStatus::kSuccess) << i;
  }
}

void ExpectArrived(const std::vector<WorkRequest>& requests, const Target& target) {
  for (const WorkRequest& request : requests) {
    const uint64_t offset = request.remote_address - target.key.address;
    ASSERT_EQ(std::memcmp(request.local_address, target.memory->data() + offset, request.length), 0)
        << request.wr_id;
  }
}

TEST_P(DataTest, ThousandsOutstanding) {
  constexpr size_t kCount = 12000;
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kCount * 97, target, 4096);
  const auto requests = ScatteredReads(initiator, target, kCount, 97);
  ExpectInOrderAndSuccessful(initiator.Carry(*initiator.queue_pairs[0], requests), kCount);
  ExpectArrived(requests, target);
}

TEST_P(DataTest, RequestsOfAllKindsCompleteInTheOrderOfPosting) {
  constexpr size_t kCount = 500;
  const Target target = MakeTarget(4 * kMiB);
  Initiator initiator = MakeInitiator(4 * kMiB, target, 64);
  std::vector<WorkRequest> requests;
  for (size_t i = 0; i < kCount; ++i) {
    const uint64_t length = i % 17 == 0 ? 300000 + i : 1 + i * 13;
    requests.push_back(i % 3 == 0 ? initiator.Write(kMiB, length, target.key, 2 * kMiB, i)
                                  : initiator.Read(0, length, target.key, i, i));
  }
  ExpectInOrderAndSuccessful(initiator.Carry(*initiator.queue_pairs[0], requests), kCount);
}

TEST_P(DataTest, AWriteIsSeenByTheReadPostedBehindIt) {
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kMiB, target);
  const uint64_t length = 100003;
  FillPattern(initiator.buffer.bytes().subspan(0, 128 * kKiB), 5);
  const std::vector<WorkRequest> requests = {
      initiator.Write(0, length, target.key, 333, 0),
      initiator.Read(256 * kKiB, length, target.key, 333, 1)};
  ExpectInOrderAndSuccessful(initiator.Carry(*initiator.queue_pairs[0], requests), 2);
  EXPECT_EQ(std::memcmp(initiator.buffer.data(), initiator.buffer.data() + 256 * kKiB, length), 0);
}

TEST_P(DataTest, AFullQueueAcceptsNothingUntilItIsPolled) {
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kMiB, target, 4);
  QueuePair& queue_pair = *initiator.queue_pairs[0];
  const size_t capacity = queue_pair.capacity();
  ASSERT_GE(capacity, 1u);
  const std::vector<WorkRequest> requests(capacity + 5, initiator.Read(0, 100, target.key, 0));

  EXPECT_EQ(queue_pair.Post(requests).value(), capacity);
  EXPECT_EQ(queue_pair.outstanding(), capacity);
  EXPECT_EQ(queue_pair.Post(requests).value(), 0u);
  Completion first;
  while (initiator.completion_queue->Poll({&first, 1}) == 0) {
    initiator.completion_queue->Wait(absl::Seconds(1));
  }
  EXPECT_EQ(queue_pair.outstanding(), capacity - 1);
  EXPECT_EQ(queue_pair.Post(requests).value(), 1u);
  EXPECT_EQ(initiator.Collect(capacity).size(), capacity);
  EXPECT_EQ(queue_pair.outstanding(), 0u);
}

TEST_P(DataTest, PollAndWaitWithNothingOutstandingReturn) {
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kMiB, target);
  Completion completion;
  EXPECT_EQ(initiator.completion_queue->Poll({&completion, 1}), 0u);
  initiator.completion_queue->Wait(absl::Milliseconds(10));
  EXPECT_EQ(initiator.completion_queue->Poll({&completion, 1}), 0u);
  EXPECT_EQ(initiator.queue_pairs[0]->Post({}).value(), 0u);
}

TEST_P(DataTest, ManyQueuePairsShareACompletionQueue) {
  constexpr size_t kQueuePairs = 32;
  constexpr size_t kEach = 16;
  constexpr uint64_t kLength = 5000;
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kQueuePairs * kEach * kLength, kQueuePairs * kEach);
  for (size_t i = 0; i < kQueuePairs; ++i) Connect(initiator, target.listener->endpoint(), kEach);
  const auto requests = ScatteredReads(initiator, target, kQueuePairs * kEach, kLength);

  for (size_t i = 0; i < kQueuePairs; ++i) {
    const auto batch = absl::MakeConstSpan(requests).subspan(i * kEach, kEach);
    ASSERT_EQ(initiator.queue_pairs[i]->Post(batch).value(), kEach);
  }
  std::vector<size_t> next(kQueuePairs, 0);
  for (const Completion& completion : initiator.Collect(requests.size())) {
    ASSERT_EQ(completion.status, CompletionStatus::kSuccess);
    ASSERT_EQ(completion.wr_id % kEach, next[completion.wr_id / kEach]++);
  }
  ExpectArrived(requests, target);
}

TEST_P(DataTest, SeveralPeersAtOnce) {
  std::vector<Target> targets;
  for (uint64_t i = 0; i < 3; ++i) targets.push_back(MakeTarget(kMiB, 1000 * i));
  Initiator initiator = MakeInitiator(3 * kMiB, 3 * 16);
  std::vector<std::vector<WorkRequest>> requests(3);
  for (size_t i = 0; i < 3; ++i) {
    Connect(initiator, targets[i].listener->endpoint());
    for (size_t piece = 0; piece < 16; ++piece) {
      requests[i].push_back(initiator.Read(i * kMiB + piece * 64 * kKiB, 64 * kKiB, targets[i].key,
                                           piece * 64 * kKiB));
    }
    ASSERT_EQ(initiator.queue_pairs[i]->Post(requests[i]).value(), 16u);
  }
  for (const Completion& completion : initiator.Collect(48)) {
    ASSERT_EQ(completion.status, CompletionStatus::kSuccess);
  }
  for (size_t i = 0; i < 3; ++i) ExpectArrived(requests[i], targets[i]);
}

TEST_P(DataTest, ThreadsWithTheirOwnQueuesDoNotDisturbEachOther) {
  constexpr size_t kThreads = 4;
  constexpr size_t kCount = 600;
  constexpr uint64_t kLength = 3001;
  const Target target = MakeTarget(kMiB);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      Initiator initiator = MakeInitiator(kCount * kLength, 3 * 32);
      for (int i = 0; i < 3; ++i) Connect(initiator, target.listener->endpoint(), 32);
      const auto requests = ScatteredReads(initiator, target, kCount, kLength);
      for (size_t i = 0; i < 3; ++i) {
        const auto third = absl::MakeConstSpan(requests).subspan(i * kCount / 3, kCount / 3);
        for (const Completion& completion : initiator.Carry(*initiator.queue_pairs[i], third)) {
          ASSERT_EQ(completion.status, CompletionStatus::kSuccess);
        }
      }
      ExpectArrived(requests, target);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

INSTANTIATE_TEST_SUITE_P(Transports, DataTest, testing::ValuesIn(Cases()), CaseName);

}  // namespace
}  // namespace fargraph::transport::conformance
