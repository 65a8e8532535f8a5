#include "compute_node/forecast/time_model.h"

#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr uint64_t kGraphBytes = 100'000'000;
const Machine kMachine = {.threads = 1};

/// Carries 1 GB/s, with all that processors have over shm and tcp, and with nothing of them else.
PlannedRun Planned(const std::string& transport, double far_ratio) {
  const bool processors_carry = transport == "shm" || transport == "tcp";
  PlannedRun run = {.placement = {.transport = transport, .far_ratio = far_ratio},
                    .link = {.threads = 1,
                             .bytes_per_second = 1e9,
                             .requests_per_second = 1e9,
                             .processor_share = processors_carry ? 1. : 0.},
                    .far_bytes = static_cast<uint64_t>(far_ratio * kGraphBytes),
                    .chunk_bytes = 100'000,
                    .list_bytes = 1000,
                    .effort = {.list_reads = 10, .steps = 0},
                    .compute_seconds = 2};
  if (transport == "tcp") run.placement.hosts = {"10.0.0.1"};
  return run;
}

/// Ten full scans.
PastRuns Past(const std::string& transport, double far_ratio, double seconds) {
  const PlannedRun run = Planned(transport, far_ratio);
  return {.placement = run.placement,
          .seconds = {seconds},
          .iterations = 10,
          .bytes_fetched = run.far_bytes * 10,
          .requests = run.far_bytes * 10 / run.chunk_bytes,
          .pattern = {.whole_bytes = run.far_bytes * 10},
          .chunk_bytes = run.chunk_bytes,
          .link = run.link};
}

TEST(TimeModel, WithoutRunsAllIsAnEstimate) {
  const RunForecast local = Forecast(Planned("local", 0), {}, kMachine);
  EXPECT_EQ(local.basis, Basis::kEstimate);
  EXPECT_EQ(local.seconds, 2);
  EXPECT_EQ(local.bytes_fetched, 0u);
  PlannedRun codes = Planned("local", 0);
  codes.placement.compressed = true;
  codes.decode_seconds = 1;
  EXPECT_EQ(Forecast(codes, {}, kMachine).seconds, 3);
  const RunForecast far = Forecast(Planned("shm", 0.5), {}, kMachine);
  EXPECT_EQ(far.bytes_fetched, 500'000'000u);
  EXPECT_EQ(far.requests, 5000u);
  EXPECT_NEAR(far.seconds, 2.5, 0.01);
}

TEST(TimeModel, DevicesCarryWhileProcessorsCompute) {
  EXPECT_NEAR(Forecast(Planned("verbs", 0.5), {}, kMachine).seconds, 2, 0.01);
  PlannedRun slow_link = Planned("verbs", 0.5);
  slow_link.link.bytes_per_second = 1e8;
  EXPECT_NEAR(Forecast(slow_link, {}, kMachine).seconds, 5, 0.001);
}

TEST(TimeModel, ADeviceThatTakesAShareOfTheProcessorsSlowsDownComputing) {
  PlannedRun run = Planned("ssd", 0.5);
  run.link.processor_share = 0.4;
  EXPECT_NEAR(Forecast(run, {}, kMachine).seconds, 2 + 0.4 * 0.5, 0.01);
  EXPECT_NEAR(Forecast(run, {Past("local", 0, 0.1)}, kMachine).seconds, 0.5, 0.01)
      << "bound by the device";
  PastRuns past = Past("ssd", 0.5, 3);
  past.link = run.link;
  EXPECT_NEAR(Forecast(Planned("local", 0), {past}, kMachine).seconds, 3 - 0.4 * 0.5, 0.01);
}

TEST(TimeModel, TheSameRunTellsTheTime) {
  PastRuns same = Past("tcp", 0.8, 3);
  same.seconds = {3, 9, 4};
  same.bytes_fetched = 1234;
  const RunForecast forecast =
      Forecast(Planned("tcp", 0.8), {Past("tcp", 0.5, 2.5), same, Past("local", 0, 1)}, kMachine);
  EXPECT_EQ(forecast.basis, Basis::kSameRun);
  EXPECT_EQ(forecast.seconds, 4);
  EXPECT_EQ(forecast.bytes_fetched, 1234u);
  EXPECT_EQ(forecast.iterations, 10u);
}

TEST(TimeModel, FromALocalRunTheLinksTimeIsAdded) {
  const RunForecast forecast = Forecast(Planned("shm", 0.5), {Past("local", 0, 1)}, kMachine);
  EXPECT_EQ(forecast.basis, Basis::kOtherRuns);
  EXPECT_NEAR(forecast.seconds, 1.5, 0.01);
}

TEST(TimeModel, TheMostSimilarFarRunTellsBytesAndComputing) {
  PastRuns near = Past("shm", 0.8, 3);
  near.bytes_fetched /= 10;
  const RunForecast forecast =
      Forecast(Planned("shm", 0.5), {Past("shm", 1, 9), near, Past("tcp", 0.5, 9)}, kMachine);
  EXPECT_EQ(forecast.basis, Basis::kOtherRuns);
  EXPECT_EQ(forecast.bytes_fetched, 50'000'000u);
  EXPECT_NEAR(forecast.seconds, 3 - 0.08 + 0.05, 0.01);
}

TEST(TimeModel, ScansWaitForTheLinkAndForAllThreads) {
  PastRuns past = Past("shm", 0.5, 3);
  past.far_scans = 1000;
  PlannedRun run = Planned("tcp", 0.5);
  const double before = Forecast(run, {past}, kMachine).seconds;
  run.link.read_seconds = 2e-3;
  EXPECT_NEAR(Forecast(run, {past}, kMachine).seconds, before + 2, 0.001);
  const Machine slow = {.threads = 1, .start_seconds = 1e-3};
  EXPECT_NEAR(Forecast(Planned("local", 0), {past}, slow).seconds,
              Forecast(Planned("local", 0), {past}, kMachine).seconds - 1, 0.001);
}

TEST(TimeModel, WhatHeadsSaveIsAGuess) {
  PlannedRun run = Planned("shm", 0.5);
  run.uses_heads = true;
  run.placement.copy_bytes = 5;
  EXPECT_EQ(Forecast(run, {Past("shm", 1, 9)}, kMachine).basis, Basis::kEstimate);
  EXPECT_EQ(Forecast(run, {Past("local", 0, 9)}, kMachine).basis, Basis::kOtherRuns);
  run.placement.copy_bytes = 0;
  EXPECT_EQ(Forecast(run, {Past("shm", 1, 9)}, kMachine).basis, Basis::kOtherRuns);
  EXPECT_EQ(Forecast(run, {Past("local", 0, 9)}, kMachine).basis, Basis::kEstimate);
}

TEST(TimeModel, WhatHeadsSaveOfComputingIsThatOfTheEstimate) {
  PlannedRun run = Planned("shm", 0.5);
  run.uses_heads = true;
  run.placement.copy_bytes = 5;
  run.compute_seconds_otherwise = 2 * run.compute_seconds;
  // A second of nine was the link's; the link's half second of this run comes on top.
  EXPECT_NEAR(Forecast(run, {Past("shm", 1, 9)}, kMachine).seconds, (9 - 1) / 2. + 0.5, 0.02);
}

TEST(TimeModel, ARunThatReadsCodesDecodesAndFetchesLessThanOneThatReadsEdges) {
  PlannedRun run = Planned("shm", 0.5);
  run.placement.compressed = true;
  run.list_bytes_otherwise = 2 * run.list_bytes;
  run.decode_seconds = 1;
  // With all far ten seconds of computing, and one for a billion bytes.
  const RunForecast codes = Forecast(run, {Past("shm", 1, 11)}, kMachine);
  EXPECT_EQ(codes.basis, Basis::kEstimate);
  EXPECT_EQ(codes.bytes_fetched, 5 * kGraphBytes / 2);
  EXPECT_NEAR(codes.seconds, 10 + 1 + 0.25, 0.02);

  PlannedRun edges = Planned("shm", 0.5);
  edges.list_bytes_otherwise = edges.list_bytes / 2;
  edges.decode_seconds = 1;
  PastRuns past = Past("shm", 1, 11);
  past.placement.compressed = true;
  EXPECT_EQ(Forecast(edges, {past}, kMachine).bytes_fetched, 20 * kGraphBytes / 2);
  EXPECT_NEAR(Forecast(edges, {past}, kMachine).seconds, 10 - 1 + 1, 0.02);
}

TEST(TimeModel, RunsWithoutHeadsAreLessSimilarThanThoseOverAnotherLink) {
  PlannedRun run = Planned("shm", 0.95);
  run.uses_heads = true;
  run.placement.copy_bytes = 5;
  PastRuns with = Past("tcp", 0.5, 3);
  with.placement.copy_bytes = 5;
  with.bytes_fetched = 0;
  EXPECT_NEAR(Forecast(run, {Past("shm", 1, 9), with}, kMachine).seconds, 3, 0.02);
}

TEST(TimeModel, OfRunsOverOtherLinksThoseOverTcpTellLeast) {
  const std::vector<PastRuns> past = {Past("tcp", 0.5, 30), Past("shm", 1, 3)};
  EXPECT_NEAR(Forecast(Planned("local", 0), past, kMachine).seconds, 3 - 1, 0.02);
}

TEST(TimeModel, ThreadsShareTheHandlingOfRequests) {
  PastRuns far = Past("shm", 0.5, 3);
  far.bytes_fetched = 1;
  far.requests = 1'000'000;
  EXPECT_NEAR(Forecast(Planned("local", 0), {far}, {.threads = 1}).seconds, 2.9, 0.002);
  EXPECT_NEAR(Forecast(Planned("local", 0), {far}, {.threads = 2}).seconds, 2.95, 0.002);
}

TEST(TimeModel, RequestsTakeTimeOfTheirOwnButOverShm) {
  PlannedRun shm = Planned("shm", 0.5);
  PlannedRun tcp = Planned("tcp", 0.5);
  shm.link.requests_per_second = tcp.link.requests_per_second = 1e5;
  EXPECT_NEAR(Forecast(shm, {}, kMachine).seconds, 2.5, 0.001);
  EXPECT_NEAR(Forecast(tcp, {}, kMachine).seconds, 2.5 + 5000 / 1e5, 0.001);
}

TEST(TimeModel, AFastRunOverASlowLinkLeavesTimeForComputing) {
  PastRuns far = Past("tcp", 1, 1);
  far.link.bytes_per_second = 1e6;
  EXPECT_GT(Forecast(Planned("local", 0), {far}, kMachine).seconds, 0);
}

TEST(TimeModel, JobsThatRanLocalAndFarTellHowSlowALinkIs) {
  const ListPlacement tcp = Planned("tcp", 0.5).placement;
  EXPECT_EQ(LinkSlowness(tcp, kMachine), 1);
  Machine machine = {.threads = 1,
                     .jobs = {{Past("local", 0, 1), Past("tcp", 0.5, 2), Past("shm", 0.5, 1.5)}}};
  EXPECT_NEAR(LinkSlowness(tcp, machine), 2, 0.01);
  EXPECT_NEAR(LinkSlowness(Planned("shm", 1).placement, machine), 1, 0.01);
  EXPECT_NEAR(Forecast(Planned("tcp", 0.2), {Past("tcp", 0.5, 2)}, machine).seconds, 1.4, 0.01);
  machine.jobs[0][1].seconds = {50};
  EXPECT_EQ(LinkSlowness(tcp, machine), 3) << "not more, for it may have been the machine";
}

TEST(TimeModel, WhatJobsComputedTellsHowSlowTheMachineIs) {
  const auto computed = [](PastRuns past, double estimated_seconds) {
    past.estimated_seconds = estimated_seconds;
    return past;
  };
  Machine machine = {.threads = 1};
  EXPECT_EQ(MachineSlowness(machine), 1);
  machine.jobs.push_back({computed(Past("local", 0, 30), 10)});
  EXPECT_EQ(MachineSlowness(machine), 1) << "one job does not tell";
  machine.jobs.push_back({computed(Past("local", 0, 20), 10)});
  machine.jobs.push_back({computed(Past("local", 0, 40), 10)});
  EXPECT_EQ(MachineSlowness(machine), 1.5);
  machine.jobs.push_back({computed(Past("shm", 1, 1.9), 0.1)});
  EXPECT_EQ(MachineSlowness(machine), 1.5) << "the link took the most of it";
  machine.jobs.push_back({computed(Past("shm", 1, 3.5), 1)});
  EXPECT_NEAR(MachineSlowness(machine), 2, 0.01) << "the link's second does not count";
  machine.jobs.push_back({computed(Past("ssd", 0.5, 99), 1)});
  EXPECT_NEAR(MachineSlowness(machine), 2, 0.01) << "it may have waited";
  machine.jobs[0].push_back(computed(Past("shm", 1, 99), 1));
  EXPECT_NEAR(MachineSlowness(machine), 2, 0.01) << "its local run tells";
}

TEST(TimeModel, OfWhatIsReadPiecemealHalfIsReadMeanwhile) {
  PlannedRun run = Planned("ssd", 0.5);
  EXPECT_NEAR(Forecast(run, {}, kMachine).seconds, 2, 0.01);
  run.effort.parts = 20;
  const RunForecast forecast = Forecast(run, {}, kMachine);
  const double handling = static_cast<double>(forecast.requests) * 0.1e-6;
  EXPECT_NEAR(forecast.seconds, 2 + 0.25 + handling, 0.01);
  EXPECT_NEAR(Forecast(run, {Past("local", 0, 4)}, kMachine).seconds, 4 + 0.25 + handling, 0.01);
  EXPECT_NEAR(Forecast(run, {Past("ssd", 0.3, 4)}, kMachine).seconds, 4, 0.01)
      << "what has been measured tells more";
}

TEST(TimeModel, EveryListThatAStepAsksForIsHandled) {
  PlannedRun run = Planned("shm", 0.5);
  run.effort.parts = 20;
  const RunForecast forecast = Forecast(run, {}, kMachine);
  const double lists = 10 * 0.5 * kGraphBytes / run.list_bytes;
  const double requests = static_cast<double>(forecast.requests);
  EXPECT_NEAR(forecast.seconds, 2 + 0.5 + requests * 0.1e-6 + lists * 12e-9, 0.001);

  const Machine slow = {.threads = 1, .jobs = {{Past("local", 0, 1), Past("shm", 0.5, 2)}}};
  const double link = LinkSlowness(run.placement, slow) * (0.5 + requests * 0.1e-6);
  EXPECT_NEAR(Forecast(run, {}, slow).seconds, 2 + link + lists * 12e-9, 0.001)
      << "no link makes that slower";
}

TEST(EstimateComputing, GrowsWithTheWorkAndShrinksWithTheMachine) {
  const GraphManifest graph = {
      .vertices = 2'000'000, .edges = 1'000'000'000, .end_of_lists = 1'000'000};
  const MachineProfile machine = {
      .visit_seconds = 2e-9, .random_reads = {{1, 1e6}}, .start_seconds = 1};
  const Effort effort = {.edge_visits = 2, .random_visits = 0.5, .vertex_visits = 100, .steps = 3};
  EXPECT_NEAR(EstimateComputing(effort, graph, 0.1, machine, 1), 5.2 + 50 + 0.26 + 3, 0.001);
  EXPECT_NEAR(EstimateComputing(effort, graph, 0.2, machine, 2), 2.6 + 100 + 0.13 + 3, 0.001);
}

}  // namespace
}  // namespace fargraph
