#include "common/transport/transport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport {
namespace {

TEST(Transport, KindsAreParsedByTheirNames) {
  for (const Kind kind : {Kind::kVerbs, Kind::kShm, Kind::kTcp}) {
    const auto parsed = ParseKind(KindName(kind));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, kind);
  }
}

TEST(Transport, AnUnknownKindIsRefusedWithTheChoice) {
  const auto parsed = ParseKind("infiniband");
  EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(parsed.status().message(), testing::HasSubstr("verbs, shm or tcp"));
}

TEST(Transport, EveryCompletionStatusHasAName) {
  EXPECT_EQ(CompletionStatusName(CompletionStatus::kSuccess), "success");
  EXPECT_EQ(CompletionStatusName(CompletionStatus::kRemoteAccessError), "remote access error");
  EXPECT_EQ(CompletionStatusName(CompletionStatus::kRetryExceeded), "retry exceeded");
  EXPECT_EQ(CompletionStatusName(CompletionStatus::kFlushed), "flushed");
}

}  // namespace
}  // namespace fargraph::transport
