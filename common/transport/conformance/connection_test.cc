// Connections break cleanly and can be made again.
#include <csignal>
#include <cstring>

#include "common/transport/conformance/fixture.h"
#include "common/units.h"

namespace fargraph::transport::conformance {
namespace {

using testing::Each;
using testing::Field;

class ConnectionTest : public ConformanceTest {
 protected:
  absl::Status TryConnect(const Endpoint& endpoint, const Ticket& ticket,
                          absl::Duration timeout = kLimit) {
    Initiator initiator = MakeInitiator(4096, 4);
    return device_
        ->Connect(endpoint, ticket, *initiator.completion_queue,
                  {.capacity = 4, .connect_timeout = timeout})
        .status();
  }
};

/// Posts `request` over and over until the queue pair has broken; every request must complete, and
/// none may succeed behind a failed one. Returns the first failure.
CompletionStatus CarryUntilBroken(Initiator& initiator, QueuePair& queue_pair,
                                  const WorkRequest& request) {
  CompletionStatus first_failure = CompletionStatus::kSuccess;
  const absl::Time deadline = absl::Now() + kLimit;
  for (;;) {
    const auto posted = queue_pair.Post({&request, 1});
    if (!posted.ok()) {
      EXPECT_EQ(posted.status().code(), absl::StatusCode::kUnavailable) << posted.status();
      if (queue_pair.outstanding() == 0) return first_failure;
    }
    Completion completion;
    if (initiator.completion_queue->Poll({&completion, 1}) == 0) {
      initiator.completion_queue->Wait(absl::Milliseconds(10));
    } else if (first_failure == CompletionStatus::kSuccess) {
      first_failure = completion.status;
    } else {
      EXPECT_EQ(completion.status, CompletionStatus::kFlushed);
    }
    if (absl::Now() > deadline) {
      ADD_FAILURE() << "the queue pair does not break; " << queue_pair.outstanding()
                    << " requests are outstanding";
      return first_failure;
    }
  }
}

TEST_P(ConnectionTest, AFailedRequestFlushesTheRestAndAReconnectGoesOn) {
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kMiB, 32);
  Connect(initiator, target.listener->endpoint());
  QueuePair& queue_pair = *initiator.queue_pairs[0];
  std::vector<WorkRequest> requests;
  for (uint64_t i = 0; i < 8; ++i) {
    requests.push_back(initiator.Read(i * 4096, 4096, target.key, i * 4096, i));
  }
  requests[5].remote_address = target.key.address + target.memory->size();

  ASSERT_EQ(queue_pair.Post(requests).value(), 8u);
  const auto completions = initiator.Collect(8);
  ASSERT_EQ(completions.size(), 8u);
  for (uint64_t i = 0; i < 8; ++i) {
    EXPECT_EQ(completions[i].wr_id, i);
    EXPECT_EQ(completions[i].status, i < 5    ? CompletionStatus::kSuccess
                                     : i == 5 ? CompletionStatus::kRemoteAccessError
                                              : CompletionStatus::kFlushed)
        << i;
  }
  EXPECT_EQ(queue_pair.Post(requests).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(queue_pair.outstanding(), 0u);

  Connect(initiator, target.listener->endpoint());
  requests.resize(5);
  EXPECT_THAT(initiator.Carry(*initiator.queue_pairs[1], requests),
              Each(Field(&Completion::status, CompletionStatus::kSuccess)));
  EXPECT_EQ(std::memcmp(initiator.buffer.data(), target.memory->data(), 5 * 4096), 0);
}

TEST_P(ConnectionTest, ABrokenQueuePairLeavesItsNeighboursAlone) {
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kMiB, 32);
  Connect(initiator, target.listener->endpoint());
  Connect(initiator, target.listener->endpoint());
  EXPECT_EQ(initiator.CarryOne(initiator.Read(0, 1, target.key, target.memory->size())),
            CompletionStatus::kRemoteAccessError);
  const auto completions =
      initiator.Carry(*initiator.queue_pairs[1], {initiator.Read(0, 4096, target.key, 0)});
  EXPECT_THAT(completions, Each(Field(&Completion::status, CompletionStatus::kSuccess)));
}

TEST_P(ConnectionTest, AWrongTicketIsDenied) {
  const Target target = MakeTarget(kMiB);
  Ticket nearly = MakeTicket(0);
  nearly[15] ^= std::byte{1};
  for (const Ticket& ticket : {nearly, Ticket{}, MakeTicket(kTickets)}) {
    const absl::Status status = TryConnect(target.listener->endpoint(), ticket);
    EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << status;
  }
  EXPECT_TRUE(TryConnect(target.listener->endpoint(), MakeTicket(0)).ok());
}

TEST_P(ConnectionTest, NobodyListeningIsUnavailable) {
  Target target = MakeTarget(kMiB);
  const Endpoint endpoint = target.listener->endpoint();
  target.listener.reset();
  const absl::Status status = TryConnect(endpoint, MakeTicket(0), absl::Seconds(3));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
}

TEST_P(ConnectionTest, AnEndpointOfAnotherKindIsAnError) {
  for (const Endpoint& endpoint : {Endpoint(), Endpoint("nonsense"), Endpoint(300, 'x')}) {
    const absl::Status status = TryConnect(endpoint, MakeTicket(0), absl::Seconds(3));
    EXPECT_TRUE(absl::IsInvalidArgument(status) || absl::IsUnavailable(status)) << status;
  }
}

TEST_P(ConnectionTest, AQueuePairMustFitItsCompletionQueue) {
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(4096, target, 16);
  const auto connect = [&] {
    return device_->Connect(target.listener->endpoint(), MakeTicket(0), *initiator.completion_queue,
                            {.capacity = 16, .connect_timeout = kLimit});
  };
  EXPECT_EQ(connect().status().code(), absl::StatusCode::kInvalidArgument);
  initiator.queue_pairs.clear();
  EXPECT_TRUE(connect().ok());
}

TEST_P(ConnectionTest, DisconnectBreaksTheQueuePairsOfItsTicketOnly) {
  const Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kMiB, 3 * 16);
  Connect(initiator, target.listener->endpoint(), 16, /*ticket=*/1);
  Connect(initiator, target.listener->endpoint(), 16, /*ticket=*/2);
  Connect(initiator, target.listener->endpoint(), 16, /*ticket=*/1);
  const WorkRequest read = initiator.Read(0, 4096, target.key, 0);

  target.listener->Disconnect(MakeTicket(1));
  EXPECT_NE(CarryUntilBroken(initiator, *initiator.queue_pairs[0], read),
            CompletionStatus::kRemoteAccessError);
  EXPECT_NE(CarryUntilBroken(initiator, *initiator.queue_pairs[2], read),
            CompletionStatus::kRemoteAccessError);
  EXPECT_THAT(initiator.Carry(*initiator.queue_pairs[1], {read}),
              Each(Field(&Completion::status, CompletionStatus::kSuccess)));
}

TEST_P(ConnectionTest, TheEndOfTheListenerBreaksItsQueuePairs) {
  Target target = MakeTarget(kMiB);
  Initiator initiator = MakeInitiator(kMiB, target);
  const WorkRequest read = initiator.Read(0, 4096, target.key, 0);
  ASSERT_EQ(initiator.CarryOne(read), CompletionStatus::kSuccess);
  target.listener.reset();
  CarryUntilBroken(initiator, *initiator.queue_pairs[0], read);
}

TEST_P(ConnectionTest, AQueuePairDestroyedWithRequestsOutstandingLeavesNothingBehind) {
  const Target target = MakeTarget(4 * kMiB);
  Initiator initiator = MakeInitiator(4 * kMiB, 2 * 16);
  for (int round = 0; round < 3; ++round) {
    Connect(initiator, target.listener->endpoint());
    const std::vector<WorkRequest> requests(16, initiator.Read(0, kMiB, target.key, 0, 111));
    ASSERT_EQ(initiator.queue_pairs[0]->Post(requests).value(), 16u);
    initiator.queue_pairs.clear();

    Connect(initiator, target.listener->endpoint());
    ASSERT_EQ(initiator.CarryOne(initiator.Read(0, kMiB, target.key, kMiB, 222)),
              CompletionStatus::kSuccess);
    EXPECT_EQ(std::memcmp(initiator.buffer.data(), target.memory->data() + kMiB, kMiB), 0);
    initiator.queue_pairs.clear();
  }
}

TEST_P(ConnectionTest, InitiatorsThatDoNotPollHoldNobodyUp) {
  constexpr size_t kIdle = 8;
  const Target target = MakeTarget(4 * kMiB);
  Initiator idle = MakeInitiator(4 * kMiB, kIdle * 4);
  for (size_t i = 0; i < kIdle; ++i) {
    Connect(idle, target.listener->endpoint(), 4);
    const std::vector<WorkRequest> requests(4, idle.Read(0, 4 * kMiB, target.key, 0));
    ASSERT_EQ(idle.queue_pairs[i]->Post(requests).value(), 4u);
  }
  Initiator busy = MakeInitiator(kMiB, target, 16);
  const std::vector<WorkRequest> requests(100, busy.Read(0, 4096, target.key, 0));
  EXPECT_THAT(busy.Carry(*busy.queue_pairs[0], requests),
              Each(Field(&Completion::status, CompletionStatus::kSuccess)));
  EXPECT_THAT(idle.Collect(kIdle * 4),
              Each(Field(&Completion::status, CompletionStatus::kSuccess)));
}

TEST_P(ConnectionTest, AKilledPeerEndsEveryRequest) {
  constexpr size_t kOutstanding = 256;  // more than a device serves before it hears of the death
  TargetProcess peer(GetParam());
  Initiator initiator = MakeInitiator(TargetProcess::kBytes, kOutstanding);
  Connect(initiator, peer.endpoint(), kOutstanding);
  QueuePair& queue_pair = *initiator.queue_pairs[0];
  const WorkRequest read = initiator.Read(0, kMiB, peer.key(), 0);
  ASSERT_EQ(queue_pair.Post(std::vector<WorkRequest>(kOutstanding, read)).value(), kOutstanding);
  ASSERT_EQ(initiator.Collect(1).size(), 1u);
  peer.Signal(SIGKILL);
  EXPECT_EQ(CarryUntilBroken(initiator, queue_pair, read), CompletionStatus::kRetryExceeded);

  peer.Kill();
  const absl::Status status = TryConnect(peer.endpoint(), MakeTicket(0), absl::Seconds(3));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
}

TEST_P(ConnectionTest, AStoppedPeerDelaysButDoesNotHarm) {
  TargetProcess peer(GetParam());
  Initiator initiator = MakeInitiator(TargetProcess::kBytes, 16);
  Connect(initiator, peer.endpoint());
  std::vector<WorkRequest> requests;
  for (uint64_t i = 0; i < 16; ++i) {
    requests.push_back(initiator.Read(i * 256 * kKiB, 256 * kKiB, peer.key(), i * 256 * kKiB));
  }
  peer.Signal(SIGSTOP);
  ASSERT_EQ(initiator.queue_pairs[0]->Post(requests).value(), 16u);
  Completion completion;
  const size_t early = initiator.completion_queue->Poll({&completion, 1});
  initiator.completion_queue->Wait(absl::Milliseconds(200));
  peer.Signal(SIGCONT);
  EXPECT_THAT(initiator.Collect(16 - early),
              Each(Field(&Completion::status, CompletionStatus::kSuccess)));
  std::vector<std::byte> expected(TargetProcess::kBytes);
  FillPattern(absl::MakeSpan(expected), 1);
  EXPECT_EQ(std::memcmp(initiator.buffer.data(), expected.data(), expected.size()), 0);
}

INSTANTIATE_TEST_SUITE_P(Transports, ConnectionTest, testing::ValuesIn(Cases()), CaseName);

}  // namespace
}  // namespace fargraph::transport::conformance
