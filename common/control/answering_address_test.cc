#include "common/control/answering_address.h"

#include <string>

#include "common/transport/tcp/socket.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(AnsweringAddress, IsTheFirstThatAcceptsAConnection) {
  std::string endpoint;
  const auto listener = transport::tcp::ListenOn("127.0.0.1", &endpoint);
  ASSERT_TRUE(listener.ok()) << listener.status();
  const HostPort listening = *ParseHostPort(endpoint);
  const HostPort deaf = {"::1", listening.port};
  EXPECT_EQ(AnsweringAddress({deaf, listening}, absl::Seconds(1)).host, "127.0.0.1");
  EXPECT_EQ(AnsweringAddress({listening, deaf}, absl::Seconds(1)).host, "127.0.0.1");
}

TEST(AnsweringAddress, WhereNoneAnswersIsTheFirst) {
  std::string endpoint;
  uint16_t free_port = 0;
  {
    const auto listener = transport::tcp::ListenOn("127.0.0.1", &endpoint);
    ASSERT_TRUE(listener.ok()) << listener.status();
    free_port = ParseHostPort(endpoint)->port;
  }
  const HostPort first = {"::1", free_port};
  EXPECT_EQ(AnsweringAddress({first, {"127.0.0.1", free_port}}, absl::Seconds(1)).host, "::1");
  EXPECT_EQ(AnsweringAddress({first}, absl::Seconds(1)).host, "::1");
}

}  // namespace
}  // namespace fargraph
