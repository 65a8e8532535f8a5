#include "common/transport/verbs/errors.h"

#include <cerrno>

#include "common/transport/verbs/memlock_limit_for_test.h"
#include "common/units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport::verbs {
namespace {

using ::testing::HasSubstr;

TEST(VerbsErrorTest, NamesTheLimitOnLockedMemoryAndHowToRaiseIt) {
  absl::Status status;
  WithMemlockLimit(64 * kKiB, [&] { status = VerbsError("register 1 GiB", ENOMEM); });
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  for (const char* part : {"cannot register 1 GiB", "RLIMIT_MEMLOCK", "is 64 KiB",
                           "ulimit -l unlimited", "limits.d", "LimitMEMLOCK=infinity"}) {
    EXPECT_THAT(status.message(), HasSubstr(part));
  }
}

TEST(VerbsErrorTest, OtherErrorsKeepTheirOwnReason) {
  EXPECT_EQ(VerbsError("create a queue", ENOSPC).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(VerbsError("open a device", EACCES).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(VerbsError("open a device", EIO),
            absl::InternalError("cannot open a device: Input/output error"));
}

}  // namespace
}  // namespace fargraph::transport::verbs
