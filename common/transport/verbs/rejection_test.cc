#include "common/transport/verbs/rejection.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "common/transport/verbs/handshake.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport::verbs {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kPeer[] = "10.0.0.1:7800";
constexpr int kByProgram = 28;

/// As rdma_cm tells it: the private data, padded with zeros.
absl::Status ErrorOfRejection(int reason, const void* data = nullptr, size_t bytes = 0) {
  std::array<std::byte, 148> padded = {};
  if (bytes > 0) std::memcpy(padded.data(), data, bytes);
  rdma_cm_event event = {};
  event.event = RDMA_CM_EVENT_REJECTED;
  event.status = reason;
  event.param.conn.private_data = padded.data();
  event.param.conn.private_data_len = padded.size();
  return RejectionError(kPeer, event);
}

absl::Status ErrorOfRefusal(Refusal reason) {
  ConnectRefusal refusal;
  refusal.reason = reason;
  return ErrorOfRejection(kByProgram, &refusal, sizeof refusal);
}

TEST(RejectionErrorTest, ARefusalSaysWhy) {
  EXPECT_EQ(ErrorOfRefusal(Refusal::kNotAdmitted).code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(ErrorOfRefusal(Refusal::kOutOfResources).code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(ErrorOfRefusal(Refusal::kOutOfResources).message(),
              AllOf(HasSubstr(kPeer), HasSubstr("no resources")));
  EXPECT_EQ(ErrorOfRefusal(Refusal::kOtherDevice).code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(ErrorOfRefusal(Refusal::kOtherDevice).message(),
              AllOf(HasSubstr(kPeer), HasSubstr("an address of that device")));
}

TEST(RejectionErrorTest, AListenerThatEndsIsNotTakenForOneThatRefusesTheTicket) {
  const absl::Status status = ErrorOfRejection(kByProgram);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), AllOf(HasSubstr(kPeer), HasSubstr("ended the connection")));
}

TEST(RejectionErrorTest, AStaleConnectionIsNotTakenForNobody) {
  const absl::Status status = ErrorOfRejection(10);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), AllOf(HasSubstr(kPeer), HasSubstr("try again")));
}

TEST(RejectionErrorTest, NobodyListens) {
  const absl::Status status = ErrorOfRejection(8);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("nobody listens"));
}

}  // namespace
}  // namespace fargraph::transport::verbs
