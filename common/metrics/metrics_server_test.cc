#include "common/metrics/metrics_server.h"

#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <string>
#include <thread>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/unique_fd.h"
#include "common/units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::Duration kLongerThanItsPatience = absl::Seconds(20);

std::vector<Metric> OneGauge() {
  return {
      {.name = "answer", .help = "of all", .kind = Metric::Kind::kGauge, .samples = {{{}, 42}}}};
}

/// What `host` says to whoever asks the server, as `user` with a password if there is one.
httplib::Result Ask(const std::string& host, const MetricsServer& server,
                    const std::string& password = "") {
  httplib::Client client(host, ParseHostPort(server.address())->port);
  if (!password.empty()) client.set_basic_auth("fargraph", password);
  return client.Get("/metrics");
}

/// A connection to a server on 127.0.0.1, for what no client of HTTP would do.
UniqueFd ConnectTo(const MetricsServer& server) {
  UniqueFd connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = {.sin_family = AF_INET,
                               .sin_port = htons(ParseHostPort(server.address())->port),
                               .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)},
                               .sin_zero = {}};
  EXPECT_EQ(connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
            0);
  return connection;
}

/// False when the other end has closed.
bool Send(const UniqueFd& connection, const std::string& text) {
  return send(connection.get(), text.data(), text.size(), MSG_NOSIGNAL) > 0;
}

std::string BeginOfReply(const UniqueFd& connection) {
  std::string text(64, '\0');
  text.resize(std::max<ssize_t>(0, recv(connection.get(), text.data(), text.size(), 0)));
  return text;
}

bool HasIpv6() { return MetricsServer::Start({"::1", 0}, "", OneGauge).ok(); }

TEST(MetricsServer, AnswersInPrometheusFormat) {
  const auto server = MetricsServer::Start({"127.0.0.1", 0}, "", OneGauge);
  ASSERT_TRUE(server.ok()) << server.status();
  const auto reply = Ask("127.0.0.1", **server);
  ASSERT_TRUE(reply) << reply.error();
  EXPECT_EQ(reply->status, 200);
  EXPECT_THAT(reply->body, HasSubstr("# TYPE answer gauge\nanswer 42\n"));
}

TEST(MetricsServer, AnswersOverIpv6) {
  if (!HasIpv6()) GTEST_SKIP() << "this host has no IPv6";
  const auto server = MetricsServer::Start({"::1", 0}, "", OneGauge);
  ASSERT_TRUE(server.ok()) << server.status();
  EXPECT_THAT((*server)->address(), HasSubstr("[::1]:"));
  const auto reply = Ask("::1", **server);
  ASSERT_TRUE(reply) << reply.error();
  EXPECT_EQ(reply->status, 200);
}

TEST(MetricsServer, AnswersOverBothOnEveryAddress) {
  if (!HasIpv6()) GTEST_SKIP() << "this host has no IPv6";
  const auto server = MetricsServer::Start({"::", 0}, "s3cret", OneGauge);
  ASSERT_TRUE(server.ok()) << server.status();
  for (const char* host : {"127.0.0.1", "::1"}) {
    EXPECT_EQ(Ask(host, **server, "s3cret")->status, 200) << host;
    EXPECT_EQ(Ask(host, **server, "wrong")->status, 401) << host;
    EXPECT_EQ(Ask(host, **server)->status, 401) << host;
  }
}

TEST(MetricsServer, NobodySendsABody) {
  const auto server = MetricsServer::Start({"127.0.0.1", 0}, "s3cret", OneGauge);
  ASSERT_TRUE(server.ok()) << server.status();
  const std::string request = "POST /metrics HTTP/1.1\r\nContent-Length: 1000000000000\r\n";
  const UniqueFd stranger = ConnectTo(**server);
  ASSERT_TRUE(Send(stranger, request + "\r\n"));
  EXPECT_THAT(BeginOfReply(stranger), StartsWith("HTTP/1.1 401 "));
  const UniqueFd known = ConnectTo(**server);
  ASSERT_TRUE(Send(known, request + "Authorization: Basic ZmFyZ3JhcGg6czNjcmV0\r\n\r\n"));
  EXPECT_THAT(BeginOfReply(known), StartsWith("HTTP/1.1 405 "));
}

TEST(MetricsServer, ARequestHasAnEnd) {
  const auto server = MetricsServer::Start({"127.0.0.1", 0}, "", OneGauge);
  ASSERT_TRUE(server.ok()) << server.status();
  const UniqueFd connection = ConnectTo(**server);
  ASSERT_TRUE(Send(connection, "GET /metrics HTTP/1.1\r\nX: "));
  const std::string piece(64 * kKiB, 'a');
  uint64_t sent_bytes = 0;
  while (sent_bytes < 64 * kMiB && Send(connection, piece)) sent_bytes += piece.size();
  EXPECT_LT(sent_bytes, 64 * kMiB);
}

TEST(MetricsServer, EndsWhileSomebodySendsSlowly) {
  auto server = MetricsServer::Start({"127.0.0.1", 0}, "", OneGauge);
  ASSERT_TRUE(server.ok()) << server.status();
  const UniqueFd connection = ConnectTo(**server);
  ASSERT_TRUE(Send(connection, "GET /metrics HTTP/1.1\r\nX: "));
  bool cut_off = false;
  std::thread sender([&] {
    const absl::Time end = absl::Now() + kLongerThanItsPatience;
    for (; !cut_off && absl::Now() < end; absl::SleepFor(absl::Milliseconds(20))) {
      cut_off = !Send(connection, "a");
    }
  });
  absl::SleepFor(absl::Milliseconds(200));  // so that a thread of the server has it
  server->reset();
  sender.join();
  EXPECT_TRUE(cut_off);
}

TEST(MetricsServer, RefusesOtherHostsWithoutAToken) {
  EXPECT_EQ(MetricsServer::Start({"::", 0}, "", OneGauge).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(MetricsServer, SaysThatThePortIsTaken) {
  const auto first = MetricsServer::Start({"127.0.0.1", 0}, "", OneGauge);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto second = MetricsServer::Start(*ParseHostPort((*first)->address()), "", OneGauge);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(second.status().message(), HasSubstr("the port is taken"));
}

}  // namespace
}  // namespace fargraph
