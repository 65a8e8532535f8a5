#include "common/address.h"

#include "gtest/gtest.h"

namespace fargraph {
namespace {

TEST(ParseHostPort, TakesNamesAndAddresses) {
  for (const char* text : {"node-1.example:7000", "127.0.0.1:0", "[::1]:65535"}) {
    const auto address = ParseHostPort(text);
    ASSERT_TRUE(address.ok()) << address.status();
    EXPECT_EQ(address->ToString(), text);
  }
  EXPECT_EQ(ParseHostPort("[::1]:7000")->host, "::1");
  EXPECT_EQ(ParseHostPort("[::1]:7000")->port, 7000);
}

TEST(ParseHostPort, RefusesWhatIsNotAnAddress) {
  for (const char* text : {"", ":", "host", "host:", ":7000", "host:65536", "host:-1", "host:70x",
                           "::1:7000", "[::1]", "[::1:7000", "unix:/run/x", "http://host:7000"}) {
    EXPECT_EQ(ParseHostPort(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(IsLoopback, TellsThisHostsOwnAddressesFromReachableOnes) {
  EXPECT_TRUE(*IsLoopback("127.0.0.1"));
  EXPECT_TRUE(*IsLoopback("127.9.9.9"));
  EXPECT_TRUE(*IsLoopback("::1"));
  EXPECT_FALSE(*IsLoopback("0.0.0.0"));
  EXPECT_FALSE(*IsLoopback("::"));
  EXPECT_FALSE(*IsLoopback("192.0.2.1"));
  EXPECT_EQ(IsLoopback("no host").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(LookUp, ANameServerThatDoesNotAnswerMayAnswerLater) {
  EXPECT_EQ(LookUpError("node-1", EAI_AGAIN).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(LookUpError("node-1", EAI_NONAME).code(), absl::StatusCode::kInvalidArgument);
}

TEST(Resolve, GivesNumericAddresses) {
  const auto loopback = Resolve({"localhost", 7800});
  ASSERT_TRUE(loopback.ok()) << loopback.status();
  ASSERT_FALSE(loopback->empty());
  EXPECT_TRUE(*IsLoopback(loopback->front().host));
  EXPECT_EQ(Resolve({"10.0.0.7", 7800})->front().ToString(), "10.0.0.7:7800");
  EXPECT_EQ(Resolve({"fd00::7", 7800})->front().ToString(), "[fd00::7]:7800");
  EXPECT_EQ(Resolve({"no host", 7800}).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fargraph
