#include "compute_node/forecast/time_model.h"

#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr uint64_t kGraphBytes = 100'000'000;

/// Carries 1 GB/s.
PlannedRun Planned(const std::string& transport, double far_ratio) {
  PlannedRun run = {.placement = {.transport = transport, .far_ratio = far_ratio},
                    .link = {.threads = 1, .bytes_per_second = 1e9, .requests_per_second = 1e9},
                    .far_bytes = static_cast<uint64_t>(far_ratio * kGraphBytes),
                    .chunk_bytes = 100'000,
                    .list_reads = 10,
                    .local_seconds = 2};
  if (transport == "tcp") run.placement.hosts = {"10.0.0.1"};
  return run;
}

PastRuns Past(const std::string& transport, double far_ratio, double seconds) {
  const PlannedRun run = Planned(transport, far_ratio);
  PastRuns past = {.placement = run.placement, .seconds = {seconds}, .iterations = 10};
  past.bytes_fetched = run.far_bytes * 10;
  past.requests = past.bytes_fetched / run.chunk_bytes;
  past.carry_seconds = CarrySeconds(run.link, past.bytes_fetched, past.requests);
  return past;
}

TEST(TimeModel, WithoutRunsAllIsAnEstimate) {
  const RunForecast local = Forecast(Planned("local", 0), {});
  EXPECT_EQ(local.basis, Basis::kEstimate);
  EXPECT_EQ(local.seconds, 2);
  EXPECT_EQ(local.bytes_fetched, 0u);
  const RunForecast far = Forecast(Planned("shm", 0.5), {});
  EXPECT_EQ(far.bytes_fetched, 500'000'000u);
  EXPECT_EQ(far.requests, 5000u);
  EXPECT_NEAR(far.seconds, 2.5, 0.01);
}

TEST(TimeModel, DevicesCarryWhileProcessorsCompute) {
  EXPECT_NEAR(Forecast(Planned("verbs", 0.5), {}).seconds, 2, 0.01);
  PlannedRun slow_link = Planned("verbs", 0.5);
  slow_link.link.bytes_per_second = 1e8;
  EXPECT_NEAR(Forecast(slow_link, {}).seconds, 5, 0.001);
  EXPECT_GT(Forecast(Planned("tcp", 0.5), {}).seconds, Forecast(Planned("shm", 0.5), {}).seconds);
}

TEST(TimeModel, TheSameRunTellsTheTime) {
  PastRuns same = Past("tcp", 0.8, 3);
  same.seconds = {3, 9, 4};
  same.bytes_fetched = 1234;
  const RunForecast forecast =
      Forecast(Planned("tcp", 0.8), {Past("tcp", 0.5, 2.5), same, Past("local", 0, 1)});
  EXPECT_EQ(forecast.basis, Basis::kSameRun);
  EXPECT_EQ(forecast.seconds, 4);
  EXPECT_EQ(forecast.bytes_fetched, 1234u);
  EXPECT_EQ(forecast.iterations, 10u);
}

TEST(TimeModel, FromALocalRunTheLinksTimeIsAdded) {
  const RunForecast forecast = Forecast(Planned("shm", 0.5), {Past("local", 0, 1)});
  EXPECT_EQ(forecast.basis, Basis::kOtherRuns);
  EXPECT_NEAR(forecast.seconds, 1.5, 0.01);
}

TEST(TimeModel, TheMostSimilarFarRunTellsBytesAndComputing) {
  PastRuns near = Past("shm", 0.8, 3);
  near.bytes_fetched /= 10;
  near.carry_seconds /= 10;
  const RunForecast forecast =
      Forecast(Planned("shm", 0.5), {Past("shm", 1, 9), near, Past("tcp", 0.5, 9)});
  EXPECT_EQ(forecast.basis, Basis::kOtherRuns);
  EXPECT_EQ(forecast.bytes_fetched, 50'000'000u);
  EXPECT_NEAR(forecast.seconds, 3 - 0.08 + 0.05, 0.01);
}

TEST(TimeModel, RunsWithOtherCopiesAreLessSimilarThanThoseOverAnotherLink) {
  PlannedRun run = Planned("shm", 0.95);
  run.placement.copy_bytes = 5;
  PastRuns without = Past("shm", 1, 9);
  PastRuns with = Past("tcp", 0.5, 3);
  with.placement.copy_bytes = 5;
  with.bytes_fetched = 0;
  with.carry_seconds = 0;
  EXPECT_NEAR(Forecast(run, {without, with}).seconds, 3, 0.02);
}

TEST(TimeModel, OverALinkWithCostlyRequestsTheyMerge) {
  PastRuns shm = Past("shm", 0.5, 3);
  shm.bytes_fetched = 1'000'000;
  shm.requests = 1000;
  PlannedRun tcp = Planned("tcp", 0.5);
  tcp.link.requests_per_second = 1e5;  // a request is as 10 kB
  const RunForecast forecast = Forecast(tcp, {shm});
  EXPECT_EQ(forecast.bytes_fetched, 2'000'000u);
  EXPECT_EQ(forecast.requests, 200u);
  tcp.link.requests_per_second = 1e7;
  EXPECT_EQ(Forecast(tcp, {shm}).requests, 1000u);
}

TEST(TimeModel, WhatHeadsSaveIsAGuess) {
  PlannedRun run = Planned("shm", 0.5);
  run.placement.copy_bytes = 5;
  EXPECT_EQ(Forecast(run, {Past("shm", 1, 9)}).basis, Basis::kEstimate);
  EXPECT_EQ(Forecast(Planned("shm", 0.5), {Past("shm", 1, 9)}).basis, Basis::kOtherRuns);
}

TEST(TimeModel, OfRunsOverOtherLinksThoseOverTcpTellLeast) {
  const std::vector<PastRuns> past = {Past("tcp", 0.5, 30), Past("shm", 1, 3)};
  EXPECT_NEAR(Forecast(Planned("local", 0), past).seconds, 3 - 1, 0.02);
}

TEST(TimeModel, ThreadsShareTheHandlingOfRequests) {
  PastRuns far = Past("shm", 0.5, 3);
  far.requests = 1'000'000;
  far.carry_seconds = 0;
  PlannedRun local = Planned("local", 0);
  EXPECT_NEAR(Forecast(local, {far}).seconds, 1.5, 0.001);
  local.threads = 2;
  EXPECT_NEAR(Forecast(local, {far}).seconds, 2.25, 0.001);
}

TEST(TimeModel, AFastRunOverASlowLinkLeavesTimeForComputing) {
  PastRuns far = Past("tcp", 1, 1);
  far.carry_seconds = 50;
  EXPECT_GT(Forecast(Planned("local", 0), {far}).seconds, 0);
}

}  // namespace
}  // namespace fargraph
