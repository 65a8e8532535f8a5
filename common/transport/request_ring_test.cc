#include "common/transport/request_ring.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::vector<std::pair<uint64_t, CompletionStatus>> TakeAll(RequestRing& ring) {
  std::vector<std::pair<uint64_t, CompletionStatus>> taken;
  for (Completion completion; ring.Take({&completion, 1}) == 1;) {
    taken.emplace_back(completion.wr_id, completion.status);
  }
  return taken;
}

void PushIds(RequestRing& ring, std::vector<uint64_t> ids) {
  for (const uint64_t id : ids) ring.Push({.wr_id = id});
}

TEST(RequestRing, HandsOutFinishedRequestsInOrder) {
  RequestRing ring(3);
  PushIds(ring, {10, 11, 12});
  EXPECT_EQ(ring.room(), 0u);
  EXPECT_TRUE(TakeAll(ring).empty());
  ring.Finish();
  ring.Finish();
  EXPECT_THAT(TakeAll(ring), ElementsAre(Pair(10, CompletionStatus::kSuccess),
                                         Pair(11, CompletionStatus::kSuccess)));
  PushIds(ring, {13, 14});
  EXPECT_EQ(ring.outstanding(), 3u);
  for (int i = 0; i < 3; ++i) ring.Finish();
  EXPECT_FALSE(ring.has_pending());
  EXPECT_THAT(TakeAll(ring), ElementsAre(Pair(12, CompletionStatus::kSuccess),
                                         Pair(13, CompletionStatus::kSuccess),
                                         Pair(14, CompletionStatus::kSuccess)));
}

TEST(RequestRing, AFailureSparesTheFinishedAndFlushesTheRest) {
  RequestRing ring(4);
  PushIds(ring, {1, 2, 3, 4});
  ring.Finish();
  ring.Fail(CompletionStatus::kRemoteAccessError);
  EXPECT_TRUE(ring.failed());
  EXPECT_THAT(TakeAll(ring), ElementsAre(Pair(1, CompletionStatus::kSuccess),
                                         Pair(2, CompletionStatus::kRemoteAccessError),
                                         Pair(3, CompletionStatus::kFlushed),
                                         Pair(4, CompletionStatus::kFlushed)));
  EXPECT_EQ(ring.outstanding(), 0u);
}

TEST(RequestRing, AFailureWithNothingPendingReportsNothing) {
  RequestRing ring(2);
  PushIds(ring, {1});
  ring.Finish();
  ring.Fail(CompletionStatus::kRetryExceeded);
  EXPECT_THAT(TakeAll(ring), ElementsAre(Pair(1, CompletionStatus::kSuccess)));
}

}  // namespace
}  // namespace fargraph::transport
