#include "common/transport/shm/shm_listener.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "common/monotonic_time.h"
#include "common/transport/shm/handshake.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport::shm {
namespace {

/// Speaks the handshake by hand, to do what no queue pair does.
class ShmListenerTest : public testing::Test {
 protected:
  void SetUp() override {
    memory_ = MappedMemory::Allocate(1 << 20, MappedMemory::Sharing::kShareable).value();
    listener_ = ShmListener::Listen(
                    {.host = "", .memory = &memory_, .admit = [](const Ticket&) { return true; }})
                    .value();
    socket_ = ConnectTo(listener_->endpoint(), MonotonicNow() + absl::Seconds(5)).value();
  }

  bool AwaitAnswer() {
    pollfd fd = {.fd = socket_.get(), .events = POLLIN, .revents = 0};
    return poll(&fd, 1, /*timeout=*/30000) == 1;
  }

  void Greet() {
    ASSERT_TRUE(SendHello(socket_.get(), {}).ok());
    ASSERT_TRUE(AwaitAnswer());
    const auto welcome = ReceiveWelcome(socket_.get(), fds_);
    ASSERT_TRUE(welcome.ok()) << welcome.status();
    ASSERT_EQ(welcome->answer, Welcome::Answer::kAdmitted);
    page_ = MappedMemory::MapShared(fds_[kPeerPageFd].get(), /*writable=*/true).value();
  }

  PeerPage& page() { return *reinterpret_cast<PeerPage*>(page_.data()); }
  /// As a queue pair that is stopped in the middle of a copy.
  void EnterUnder(const RemoteKey& key) {
    page().rkey.store(key.rkey);
    page().copying.Enter();
  }
  bool RevokesAtOnce(const RemoteKey& key, absl::StatusCode code) {
    const absl::Time begin = MonotonicNow();
    EXPECT_EQ(listener_->Revoke(key).code(), code);
    return MonotonicNow() - begin < ShmListener::kRevokePatience;
  }

  MappedMemory memory_;
  std::unique_ptr<Listener> listener_;
  UniqueFd socket_;
  std::array<UniqueFd, kPassedFds> fds_;
  MappedMemory page_;
};

TEST_F(ShmListenerTest, RevokeDoesNotPassAPeerThatIsStoppedInMidCopy) {
  Greet();
  const RemoteKey key = listener_->Expose(0, 4096, Access::kRead).value();
  EnterUnder(key);
  EXPECT_EQ(listener_->Revoke(key).code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(page().disconnected.load(), 0u);
  page().copying.Leave();
  EXPECT_TRUE(listener_->Revoke(key).ok());
}

TEST_F(ShmListenerTest, RevokePassesAPeerThatDiedInMidCopy) {
  Greet();
  const RemoteKey key = listener_->Expose(0, 4096, Access::kRead).value();
  EnterUnder(key);
  { const UniqueFd closed = std::move(socket_); }
  EXPECT_TRUE(listener_->Revoke(key).ok());
}

TEST_F(ShmListenerTest, RevokePassesAPeerThatIsStoppedUnderAnotherKey) {
  Greet();
  const RemoteKey key = listener_->Expose(0, 4096, Access::kRead).value();
  EnterUnder(listener_->Expose(4096, 4096, Access::kRead).value());
  EXPECT_TRUE(RevokesAtOnce(key, absl::StatusCode::kOk));
  EXPECT_EQ(page().disconnected.load(), 0u);
  page().copying.Leave();
}

TEST_F(ShmListenerTest, AProcessThatIsStoppedInMidCopyIsWaitedForOnce) {
  Greet();
  const RemoteKey key = listener_->Expose(0, 4096, Access::kRead).value();
  EnterUnder(key);
  const UniqueFd first_socket = std::move(socket_);
  const MappedMemory first_page = std::move(page_);
  socket_ = ConnectTo(listener_->endpoint(), MonotonicNow() + absl::Seconds(5)).value();
  Greet();
  const RemoteKey other_key = listener_->Expose(4096, 4096, Access::kRead).value();
  EnterUnder(other_key);

  EXPECT_FALSE(RevokesAtOnce(key, absl::StatusCode::kUnavailable));
  EXPECT_TRUE(RevokesAtOnce(key, absl::StatusCode::kUnavailable));
  EXPECT_TRUE(RevokesAtOnce(other_key, absl::StatusCode::kUnavailable));
  page().copying.Leave();
  EXPECT_TRUE(RevokesAtOnce(other_key, absl::StatusCode::kOk));
}

TEST_F(ShmListenerTest, ThePeersViewOfTheKeysIsReadOnly) {
  Greet();
  EXPECT_TRUE(MappedMemory::MapShared(fds_[kKeyTableFd].get(), /*writable=*/false).ok());
  EXPECT_FALSE(MappedMemory::MapShared(fds_[kKeyTableFd].get(), /*writable=*/true).ok());
}

TEST_F(ShmListenerTest, ANonsenseGreetingIsHungUpOn) {
  ASSERT_TRUE(SendHello(socket_.get(), {.magic = 1}).ok());
  ASSERT_TRUE(AwaitAnswer());
  EXPECT_EQ(ReceiveWelcome(socket_.get(), fds_).status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(ShmListenerTest, AnotherVersionIsAnsweredWithOurs) {
  ASSERT_TRUE(SendHello(socket_.get(), {.version = kVersion + 1}).ok());
  ASSERT_TRUE(AwaitAnswer());
  const auto welcome = ReceiveWelcome(socket_.get(), fds_);
  ASSERT_TRUE(welcome.ok()) << welcome.status();
  EXPECT_EQ(welcome->answer, Welcome::Answer::kOtherVersion);
  EXPECT_EQ(welcome->version, kVersion);
}

TEST(ShmHandshake, AListenerThatDiesBeforeItsWelcomeIsUnavailable) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
  const UniqueFd ours(ends[0]);
  {
    const UniqueFd theirs(ends[1]);
    ASSERT_TRUE(SendHello(ours.get(), {}).ok());
  }
  std::array<UniqueFd, kPassedFds> fds;
  const absl::Status status = ReceiveWelcome(ours.get(), fds).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(status.message(), testing::HasSubstr(std::strerror(ECONNRESET)));
}

TEST(ShmListener, PrivateMemoryCannotBeExposed) {
  const MappedMemory memory = MappedMemory::Allocate(4096).value();
  EXPECT_EQ(ShmListener::Listen({.host = "", .memory = &memory, .admit = nullptr}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fargraph::transport::shm
