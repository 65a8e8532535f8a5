#include "common/transport/tcp/tcp_device.h"

#include <poll.h>
#include <sys/socket.h>

#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "common/transport/conformance/fixture.h"
#include "common/transport/tcp/protocol.h"
#include "common/transport/tcp/socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport::tcp {
namespace {

using conformance::Initiator;
using conformance::kLimit;
using testing::ElementsAre;

/// A peer that accepts one connection and does with it what a test wants.
class ScriptedPeer {
 public:
  explicit ScriptedPeer(std::function<void(int socket)> script)
      : socket_(ListenOn("127.0.0.1", &endpoint_).value()),
        thread_([this, script = std::move(script)] {
          pollfd fd = {.fd = socket_.get(), .events = POLLIN, .revents = 0};
          poll(&fd, 1, -1);
          const UniqueFd connection(accept(socket_.get(), nullptr, nullptr));
          script(connection.get());
        }) {}
  ~ScriptedPeer() { thread_.join(); }
  ScriptedPeer(const ScriptedPeer&) = delete;
  ScriptedPeer& operator=(const ScriptedPeer&) = delete;

  const Endpoint& endpoint() const { return endpoint_; }

 private:
  Endpoint endpoint_;
  const UniqueFd socket_;
  std::thread thread_;
};

template <typename T>
void Send(int socket, const T& message) {
  EXPECT_EQ(send(socket, &message, sizeof message, MSG_NOSIGNAL), ssize_t{sizeof message});
}
template <typename T>
T Receive(int socket) {
  T message;
  EXPECT_EQ(recv(socket, &message, sizeof message, MSG_WAITALL), ssize_t{sizeof message});
  return message;
}
void Admit(int socket) {
  Receive<Hello>(socket);
  Send(socket, Welcome{});
}
void AwaitEnd(int socket) {
  char byte;
  while (recv(socket, &byte, 1, 0) > 0) {
  }
}

class TcpDeviceTest : public testing::Test {
 protected:
  explicit TcpDeviceTest(absl::Duration silence_limit = kLimit)
      : device_(OpenTcpDevice({.silence_limit = silence_limit}).value()) {
    initiator_.buffer = MappedMemory::Allocate(4096).value();
    initiator_.region = device_->RegisterMemory(initiator_.buffer.bytes()).value();
    initiator_.completion_queue = device_->CreateCompletionQueue(4).value();
  }

  absl::Status Connect(const Endpoint& endpoint, absl::Duration timeout = kLimit) {
    auto queue_pair = device_->Connect(endpoint, {}, *initiator_.completion_queue,
                                       {.capacity = 4, .connect_timeout = timeout});
    if (queue_pair.ok()) initiator_.queue_pairs.push_back(*std::move(queue_pair));
    return queue_pair.status();
  }

  /// Posts two reads of 8 bytes; their statuses.
  std::vector<CompletionStatus> ReadTwice() {
    std::vector<CompletionStatus> statuses;
    for (const Completion& completion :
         initiator_.Carry(*initiator_.queue_pairs[0],
                          {initiator_.Read(0, 8, {}, 0), initiator_.Read(8, 8, {}, 0)})) {
      statuses.push_back(completion.status);
    }
    return statuses;
  }

  /// How two reads end whose peer answers the first with `reply`.
  template <typename T>
  std::vector<CompletionStatus> ReadTwiceAnswered(const T& reply) {
    const ScriptedPeer peer([&](int socket) {
      Admit(socket);
      Receive<RequestHeader>(socket);
      Send(socket, reply);
      AwaitEnd(socket);
    });
    EXPECT_TRUE(Connect(peer.endpoint()).ok());
    const auto statuses = ReadTwice();
    initiator_.queue_pairs.clear();
    return statuses;
  }

  std::unique_ptr<Device> device_;
  Initiator initiator_;
};

const auto kBrokenAtOnce =
    ElementsAre(CompletionStatus::kRetryExceeded, CompletionStatus::kFlushed);

struct ReadReply {
  ReplyHeader first = {.length = 8};
  std::array<char, 8> payload = {'f', 'a', 'r', 'g', 'r', 'a', 'p', 'h'};
  ReplyHeader last = {.length = 8};
};

TEST_F(TcpDeviceTest, RepliesThatComeByteByByteArrive) {
  const ScriptedPeer peer([&](int socket) {
    Admit(socket);
    const std::array<ReadReply, 2> replies;
    for (size_t i = 0; i < sizeof replies; ++i) {
      Send(socket, reinterpret_cast<const char*>(&replies)[i]);
    }
    AwaitEnd(socket);
  });
  ASSERT_TRUE(Connect(peer.endpoint()).ok());
  EXPECT_THAT(ReadTwice(), ElementsAre(CompletionStatus::kSuccess, CompletionStatus::kSuccess));
  EXPECT_EQ(std::memcmp(initiator_.buffer.data(), "fargraphfargraph", 16), 0);
  initiator_.queue_pairs.clear();
}

TEST_F(TcpDeviceTest, RepliesThatWereNotAskedForBreakTheQueuePair) {
  EXPECT_THAT(ReadTwiceAnswered(std::array<char, 64>{1, 2, 3, 4, 5, 6, 7, 8}), kBrokenAtOnce);
  EXPECT_THAT(ReadTwiceAnswered(ReadReply{.first = {.length = 9}}), kBrokenAtOnce);
  EXPECT_THAT(ReadTwiceAnswered(ReadReply{.last = {.length = 7}}), kBrokenAtOnce);
  EXPECT_THAT(ReadTwiceAnswered(ReplyHeader{.outcome = Outcome::kInvalidRequest, .length = 8}),
              kBrokenAtOnce);
}

TEST_F(TcpDeviceTest, AnAccessErrorIsToldBeforeOrBehindTheBytes) {
  const auto denied = ElementsAre(CompletionStatus::kRemoteAccessError, CompletionStatus::kFlushed);
  EXPECT_THAT(ReadTwiceAnswered(ReplyHeader{.outcome = Outcome::kAccessError, .length = 8}),
              denied);
  EXPECT_THAT(ReadTwiceAnswered(ReadReply{.last = {.outcome = Outcome::kAccessError, .length = 8}}),
              denied);
}

TEST_F(TcpDeviceTest, APeerThatHangsUpWhileNothingIsOutstandingIsNoticedByWait) {
  const ScriptedPeer peer([&](int socket) { Admit(socket); });
  ASSERT_TRUE(Connect(peer.endpoint()).ok());
  const absl::Time deadline = absl::Now() + kLimit;
  while (initiator_.queue_pairs[0]->Post({}).ok() && absl::Now() < deadline) {
    initiator_.completion_queue->Wait(kLimit);
  }
  EXPECT_EQ(initiator_.queue_pairs[0]->Post({}).status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(TcpDeviceTest, AListenerThatDoesNotGreetIsUnavailable) {
  const ScriptedPeer peer([&](int socket) { AwaitEnd(socket); });
  EXPECT_EQ(Connect(peer.endpoint(), absl::Milliseconds(100)).code(),
            absl::StatusCode::kUnavailable);
}

TEST_F(TcpDeviceTest, AnotherProtocolOrVersionIsNamed) {
  const auto answer = [&](const Welcome& welcome) {
    const ScriptedPeer peer([&](int socket) {
      Receive<Hello>(socket);
      Send(socket, welcome);
      AwaitEnd(socket);
    });
    return Connect(peer.endpoint());
  };
  EXPECT_EQ(answer({.magic = 1}).code(), absl::StatusCode::kUnavailable);
  const absl::Status status = answer({.version = kVersion + 1});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), testing::HasSubstr("same release"));
}

TEST_F(TcpDeviceTest, AnAddressThatIsNotOursCannotBeListenedOn) {
  const auto memory = MappedMemory::Allocate(4096).value();
  const auto listener = device_->Listen({.host = "192.0.2.1", .memory = &memory, .admit = nullptr});
  EXPECT_EQ(listener.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(listener.status().message(), testing::HasSubstr("192.0.2.1"));
}

class ImpatientTcpDeviceTest : public TcpDeviceTest {
 protected:
  ImpatientTcpDeviceTest() : TcpDeviceTest(absl::Milliseconds(100)) {}
};

TEST_F(ImpatientTcpDeviceTest, ASilentPeerCountsAsDead) {
  const ScriptedPeer peer([&](int socket) {
    Admit(socket);
    AwaitEnd(socket);
  });
  ASSERT_TRUE(Connect(peer.endpoint()).ok());
  EXPECT_THAT(ReadTwice(), kBrokenAtOnce);
  initiator_.queue_pairs.clear();
}

TEST_F(ImpatientTcpDeviceTest, TimeInWhichNobodyPollsIsNotSilence) {
  const ScriptedPeer peer([&](int socket) {
    Admit(socket);
    Receive<RequestHeader>(socket);
    Send(socket, ReadReply{});
    AwaitEnd(socket);
  });
  ASSERT_TRUE(Connect(peer.endpoint()).ok());
  const WorkRequest read = initiator_.Read(0, 8, {}, 0);
  ASSERT_EQ(initiator_.queue_pairs[0]->Post({&read, 1}).value(), 1u);
  absl::SleepFor(absl::Milliseconds(300));
  EXPECT_EQ(initiator_.Collect(1)[0].status, CompletionStatus::kSuccess);
  initiator_.queue_pairs.clear();
}

}  // namespace
}  // namespace fargraph::transport::tcp
