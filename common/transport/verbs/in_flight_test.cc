#include "common/transport/verbs/in_flight.h"

#include <array>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport::verbs {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

auto Is(uint64_t wr_id, CompletionStatus status) {
  return testing::AllOf(Field(&Completion::wr_id, wr_id), Field(&Completion::status, status));
}

std::vector<Completion> TakeAll(InFlight& in_flight) {
  std::array<Completion, 16> completions;
  const size_t count = in_flight.Take(absl::MakeSpan(completions));
  return {completions.begin(), completions.begin() + count};
}

TEST(InFlightTest, AReportOfSuccessCompletesAllBeforeIt) {
  InFlight in_flight(8, 8);
  for (uint64_t id = 100; id < 105; ++id) in_flight.Push(id, 1);
  EXPECT_THAT(TakeAll(in_flight), IsEmpty());
  in_flight.Succeed(2);
  EXPECT_THAT(TakeAll(in_flight),
              ElementsAre(Is(100, CompletionStatus::kSuccess), Is(101, CompletionStatus::kSuccess),
                          Is(102, CompletionStatus::kSuccess)));
  EXPECT_EQ(in_flight.outstanding(), 2u);
  EXPECT_EQ(in_flight.room(), 6u);
}

TEST(InFlightTest, AFailureCompletesThoseBeforeItAsSuccessful) {
  InFlight in_flight(4, 4);
  for (uint64_t id = 0; id < 4; ++id) in_flight.Push(id, 1);
  in_flight.Fail(1, CompletionStatus::kRemoteAccessError);
  in_flight.Fail(2, CompletionStatus::kFlushed);
  EXPECT_THAT(TakeAll(in_flight), ElementsAre(Is(0, CompletionStatus::kSuccess),
                                              Is(1, CompletionStatus::kRemoteAccessError),
                                              Is(2, CompletionStatus::kFlushed)));
  EXPECT_EQ(in_flight.outstanding(), 1u);
}

TEST(InFlightTest, OnlyTheFirstPieceOfASplitRequestFailsIt) {
  InFlight in_flight(4, 4);
  in_flight.Push(7, 1);
  in_flight.Push(8, 1);
  in_flight.Fail(0, CompletionStatus::kRemoteAccessError);
  EXPECT_THAT(TakeAll(in_flight), ElementsAre(Is(7, CompletionStatus::kRemoteAccessError)));
  in_flight.Fail(0, CompletionStatus::kFlushed);
  EXPECT_THAT(TakeAll(in_flight), IsEmpty());
  in_flight.Fail(1, CompletionStatus::kFlushed);
  EXPECT_THAT(TakeAll(in_flight), ElementsAre(Is(8, CompletionStatus::kFlushed)));
}

TEST(InFlightTest, WhatIsNotReportedAnyMoreFailsOnce) {
  InFlight in_flight(8, 8);
  for (uint64_t id = 0; id < 5; ++id) in_flight.Push(id, 1);
  in_flight.Succeed(1);
  in_flight.FailRest(CompletionStatus::kRetryExceeded);
  EXPECT_THAT(TakeAll(in_flight),
              ElementsAre(Is(0, CompletionStatus::kSuccess), Is(1, CompletionStatus::kSuccess),
                          Is(2, CompletionStatus::kRetryExceeded),
                          Is(3, CompletionStatus::kFlushed), Is(4, CompletionStatus::kFlushed)));
  in_flight.FailRest(CompletionStatus::kRetryExceeded);
  EXPECT_THAT(TakeAll(in_flight), IsEmpty());
  EXPECT_EQ(in_flight.outstanding(), 0u);
}

TEST(InFlightTest, ReportsThatComeAfterTheRestHasFailedChangeNothing) {
  InFlight in_flight(4, 4);
  for (uint64_t id = 0; id < 3; ++id) in_flight.Push(id, 1);
  in_flight.FailRest(CompletionStatus::kRetryExceeded);
  in_flight.Succeed(0);
  in_flight.Fail(1, CompletionStatus::kRemoteAccessError);
  EXPECT_THAT(TakeAll(in_flight),
              ElementsAre(Is(0, CompletionStatus::kRetryExceeded),
                          Is(1, CompletionStatus::kFlushed), Is(2, CompletionStatus::kFlushed)));
}

TEST(InFlightTest, HandsOutNoMoreThanThereIsRoomForAndReusesSlots) {
  InFlight in_flight(3, 3);
  uint64_t next = 0;
  for (uint64_t round = 0; round < 5; ++round) {
    while (in_flight.room() > 0) in_flight.Push(in_flight.posted(), 1);
    in_flight.Succeed(in_flight.posted() - 1);
    std::array<Completion, 2> completions;
    ASSERT_EQ(in_flight.Take(absl::MakeSpan(completions)), 2u);
    for (const Completion& completion : completions) {
      EXPECT_THAT(completion, Is(next++, CompletionStatus::kSuccess));
    }
    EXPECT_TRUE(in_flight.HasFinished());
  }
}

TEST(InFlightTest, WorkRequestsAreFreeAgainWhenTheirRequestIsTaken) {
  InFlight in_flight(4, 10);
  in_flight.Push(1, 7);
  in_flight.Push(2, 2);
  EXPECT_EQ(in_flight.work_request_room(), 1u);
  in_flight.Succeed(0);
  EXPECT_EQ(in_flight.work_request_room(), 1u);
  TakeAll(in_flight);
  EXPECT_EQ(in_flight.work_request_room(), 8u);
}

}  // namespace
}  // namespace fargraph::transport::verbs
