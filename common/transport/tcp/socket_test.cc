#include "common/transport/tcp/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <string>

#include "common/monotonic_time.h"
#include "gtest/gtest.h"

namespace fargraph::transport::tcp {
namespace {

std::string CongestionControl(int socket) {
  std::array<char, 16> name = {};
  socklen_t size = name.size();
  getsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, name.data(), &size);
  return name.data();
}

TEST(SocketTest, NothingIsPacedWithinAHost) {
  for (const std::string host : {"127.0.0.1", "::1"}) {
    Endpoint endpoint;
    const auto listener = ListenOn(host, &endpoint);
    if (!listener.ok()) GTEST_SKIP() << "no address " << host << " here";
    const UniqueFd socket = ConnectTo(endpoint, MonotonicNow() + absl::Seconds(5)).value();
    EXPECT_EQ(CongestionControl(socket.get()), "reno") << host;
  }
}

TEST(SocketTest, ANameThatNobodyKnowsIsNobodyToConnectToAndAWrongOneToListenOn) {
  const std::string unknown = "no..host";  // one that DNS is not asked for
  EXPECT_EQ(ConnectTo(unknown + ":7800", MonotonicNow() + absl::Seconds(5)).status().code(),
            absl::StatusCode::kUnavailable);
  Endpoint endpoint;
  EXPECT_EQ(ListenOn(unknown, &endpoint).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(SocketTest, ToAnotherAddressTheHostsChoiceStays) {
  Endpoint endpoint;
  const auto listener = ListenOn("127.0.0.2", &endpoint);
  ASSERT_TRUE(listener.ok()) << listener.status();
  const UniqueFd to_it = ConnectTo(endpoint, MonotonicNow() + absl::Seconds(5)).value();  // from .1
  const UniqueFd unconnected(socket(AF_INET, SOCK_STREAM, 0));
  EXPECT_EQ(CongestionControl(to_it.get()), CongestionControl(unconnected.get()));
}

TEST(SocketTest, ASilentPeerIsGivenUpAtTheDeadlineAndNotBefore) {
  std::array<int, 2> ends;
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
  const UniqueFd socket(ends[0]);
  const UniqueFd silent(ends[1]);
  const absl::Time deadline = MonotonicNow() + absl::Milliseconds(50);
  char byte = 0;
  EXPECT_EQ(ReceiveAll(socket.get(), &byte, 1, deadline).code(), absl::StatusCode::kUnavailable);
  EXPECT_GE(MonotonicNow(), deadline);
}

}  // namespace
}  // namespace fargraph::transport::tcp
