#include "common/transport/tcp/target_connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport::tcp {
namespace {

constexpr uint64_t kTargetBytes = 8 << 20;

/// Plays the initiator by hand at the other end of a socket pair.
class TargetConnectionTest : public testing::Test {
 protected:
  void SetUp() override {
    memory_ = MappedMemory::Allocate(kTargetBytes).value();
    std::memset(memory_.data(), 0x11, kTargetBytes);
    keys_ = std::make_unique<KeyTable>(KeyTable::Create(kTargetBytes).value());
    key_ = keys_->Expose(0, kTargetBytes, Access::kReadWrite).value();
    exposure_ = {memory_.bytes(), keys_->view(),
                 [](const Ticket& ticket) { return ticket == Ticket{}; }};
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
    peer_ = UniqueFd(ends[0]);
    connection_ = std::make_unique<TargetConnection>(exposure_, UniqueFd(ends[1]));
  }

  template <typename T>
  void Send(const T& message) {
    ASSERT_EQ(send(peer_.get(), &message, sizeof message, 0), ssize_t{sizeof message});
  }
  bool Serve() { return connection_->Serve(copying_); }

  /// All that has come and, as the connection is served, comes.
  std::string Receive() {
    std::string all;
    std::vector<char> buffer(1 << 20);
    for (;;) {
      const ssize_t got = recv(peer_.get(), buffer.data(), buffer.size(), 0);
      if (got > 0) all.append(buffer.data(), got);
      const bool alive = Serve();
      const bool has_more = alive && (connection_->events() & EPOLLOUT) != 0;
      if (got <= 0 && !has_more && !Readable()) return all;
    }
  }
  bool Readable() const {
    char byte;
    return recv(peer_.get(), &byte, 1, MSG_PEEK) == 1;
  }
  template <typename T>
  static T Parse(std::string& bytes) {
    T message;
    EXPECT_GE(bytes.size(), sizeof message);
    bytes.resize(std::max(bytes.size(), sizeof message));
    std::memcpy(&message, bytes.data(), sizeof message);
    bytes.erase(0, sizeof message);
    return message;
  }

  void Greet() {
    Send(Hello{});
    ASSERT_TRUE(Serve());
    std::string bytes = Receive();
    EXPECT_EQ(Parse<Welcome>(bytes).answer, Answer::kAdmitted);
    EXPECT_TRUE(bytes.empty());
  }
  RequestHeader Request(Operation operation, uint32_t length, uint64_t address = 0) const {
    return {.operation = operation, .length = length, .address = address, .rkey = key_.rkey};
  }
  /// The one reply that follows `request`, behind which nothing more is served.
  Outcome LastOutcomeOf(const RequestHeader& request) {
    Send(request);
    Send(Request(Operation::kRead, 1));
    std::string bytes = Receive();
    const Outcome outcome = Parse<ReplyHeader>(bytes).outcome;
    EXPECT_TRUE(bytes.empty());
    return outcome;
  }

  MappedMemory memory_;
  std::unique_ptr<KeyTable> keys_;
  RemoteKey key_;
  Exposure exposure_;
  UniqueFd peer_;
  std::unique_ptr<TargetConnection> connection_;
  CopyMarker copying_;
};

TEST_F(TargetConnectionTest, AdmitsAndRemembersTheTicket) {
  EXPECT_FALSE(connection_->HasTicket({}));
  Greet();
  EXPECT_TRUE(connection_->admitted());
  EXPECT_TRUE(connection_->HasTicket({}));
}

TEST_F(TargetConnectionTest, RefusesTicketsVersionsAndNonsense) {
  Send(Hello{.ticket = {std::byte{1}}});
  EXPECT_FALSE(Serve());
  Welcome welcome;
  ASSERT_EQ(recv(peer_.get(), &welcome, sizeof welcome, 0), ssize_t{sizeof welcome});
  EXPECT_EQ(welcome.answer, Answer::kRefused);

  SetUp();
  Send(Hello{.version = kVersion + 1});
  EXPECT_FALSE(Serve());
  ASSERT_EQ(recv(peer_.get(), &welcome, sizeof welcome, 0), ssize_t{sizeof welcome});
  EXPECT_EQ(welcome.answer, Answer::kOtherVersion);

  SetUp();
  Send(Hello{.magic = 0x20544547});
  EXPECT_FALSE(Serve());
  EXPECT_EQ(recv(peer_.get(), &welcome, sizeof welcome, 0), -1);
}

TEST_F(TargetConnectionTest, AnswersBytesThatComeOneByOne) {
  std::string bytes(sizeof(Hello), 0);
  const Hello hello;
  std::memcpy(bytes.data(), &hello, sizeof hello);
  const RequestHeader write = Request(Operation::kWrite, 3, 100);
  const RequestHeader read = Request(Operation::kRead, 5, 99);
  bytes.append(reinterpret_cast<const char*>(&write), sizeof write);
  bytes.append("abc");
  bytes.append(reinterpret_cast<const char*>(&read), sizeof read);
  for (const char byte : bytes) {
    Send(byte);
    ASSERT_TRUE(Serve());
  }
  std::string replies = Receive();
  EXPECT_EQ(Parse<Welcome>(replies).answer, Answer::kAdmitted);
  EXPECT_EQ(Parse<ReplyHeader>(replies).outcome, Outcome::kDone);
  EXPECT_EQ(Parse<ReplyHeader>(replies).length, 5u);
  EXPECT_EQ(replies.substr(0, 5),
            "\x11"
            "abc\x11");
  replies.erase(0, 5);
  EXPECT_EQ(Parse<ReplyHeader>(replies).outcome, Outcome::kDone);
  EXPECT_TRUE(replies.empty());
}

TEST_F(TargetConnectionTest, AnInvalidRequestIsTheLast) {
  const std::vector<RequestHeader> invalid = {
      Request(static_cast<Operation>(2), 1), Request(Operation::kRead, 0),
      Request(Operation::kWrite, 0), Request(Operation::kRead, kMaxRequestBytes + 1),
      Request(Operation::kWrite, ~uint32_t{0})};
  for (const RequestHeader& request : invalid) {
    SetUp();
    Greet();
    EXPECT_EQ(LastOutcomeOf(request), Outcome::kInvalidRequest);
  }
}

TEST_F(TargetConnectionTest, ADeniedWriteTouchesNothing) {
  Greet();
  EXPECT_EQ(LastOutcomeOf(Request(Operation::kWrite, 100, kTargetBytes - 50)),
            Outcome::kAccessError);
  EXPECT_EQ(memory_.data()[kTargetBytes - 50], std::byte{0x11});
}

TEST_F(TargetConnectionTest, AReaderThatDoesNotReadIsServedLaterAndInOrder) {
  constexpr uint32_t kRequests = 1000;
  Greet();
  size_t sent = 0;
  for (uint32_t i = 0; i < kRequests; ++i) {
    const RequestHeader request = Request(Operation::kRead, 10000 + i);
    if (send(peer_.get(), &request, sizeof request, 0) != ssize_t{sizeof request}) break;
    ++sent;
    ASSERT_TRUE(Serve());
  }
  for (int turn = 0; turn < 100; ++turn) ASSERT_TRUE(Serve());
  ASSERT_GT(sent, 300u);
  std::string bytes = Receive();
  for (uint32_t i = 0; i < sent; ++i) {
    ASSERT_EQ(Parse<ReplyHeader>(bytes).length, 10000 + i);
    ASSERT_GE(bytes.size(), 10000 + i);
    ASSERT_EQ(bytes.find_first_not_of('\x11'), 10000 + i);
    bytes.erase(0, 10000 + i);
    ASSERT_EQ(Parse<ReplyHeader>(bytes).outcome, Outcome::kDone);
  }
  EXPECT_TRUE(bytes.empty());
}

TEST_F(TargetConnectionTest, AReadWhoseKeyIsRevokedHalfwayEndsInZerosAndAnError) {
  Greet();
  Send(Request(Operation::kRead, kTargetBytes));
  Send(Request(Operation::kRead, 10));
  ASSERT_TRUE(Serve());  // as much as the socket takes
  ASSERT_TRUE(keys_->Retire(key_.rkey).ok());
  std::memset(memory_.data(), 0xEE, kTargetBytes);
  std::string bytes = Receive();
  EXPECT_EQ(Parse<ReplyHeader>(bytes).outcome, Outcome::kDone);
  ASSERT_EQ(bytes.size(), kTargetBytes + sizeof(ReplyHeader));
  EXPECT_EQ(bytes.front(), '\x11');
  EXPECT_EQ(bytes[kTargetBytes - 1], '\0');
  EXPECT_EQ(std::count(bytes.begin(), bytes.begin() + kTargetBytes, '\xEE'), 0);
  bytes.erase(0, kTargetBytes);
  EXPECT_EQ(Parse<ReplyHeader>(bytes).outcome, Outcome::kAccessError);
}

TEST_F(TargetConnectionTest, AWriteWhoseKeyIsRevokedHalfwayStopsThere) {
  Greet();
  Send(Request(Operation::kWrite, 8));
  Send(uint32_t{0x22222222});
  ASSERT_TRUE(Serve());
  ASSERT_TRUE(keys_->Retire(key_.rkey).ok());
  Send(uint32_t{0x22222222});
  std::string bytes = Receive();
  EXPECT_EQ(Parse<ReplyHeader>(bytes).outcome, Outcome::kAccessError);
  EXPECT_EQ(memory_.data()[3], std::byte{0x22});
  EXPECT_EQ(memory_.data()[4], std::byte{0x11});
}

TEST_F(TargetConnectionTest, EndsWithItsPeer) {
  Greet();
  { const UniqueFd closed = std::move(peer_); }
  EXPECT_FALSE(Serve());
}

}  // namespace
}  // namespace fargraph::transport::tcp
