#include "common/metrics/metrics_server.h"

#include <httplib.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

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
