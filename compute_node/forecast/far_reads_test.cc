#include "compute_node/forecast/far_reads.h"

#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr double kFarBytes = 50'000'000;

/// With half of the lists far, by a link whose requests take no time.
PlannedRun RunWith(const Effort& effort) {
  return {.placement = {.transport = "shm", .far_ratio = 0.5},
          .link = {.threads = 1, .bytes_per_second = 1e9, .requests_per_second = 1e9},
          .far_bytes = static_cast<uint64_t>(kFarBytes),
          .chunk_bytes = 100'000,
          .list_bytes = 1000,
          .effort = effort};
}

/// Ten full scans with all lists far.
PastRuns FullScans() {
  const PlannedRun run = RunWith({});
  return {.placement = {.transport = "shm", .far_ratio = 1},
          .far_scans = 10,
          .bytes_fetched = 20 * run.far_bytes,
          .requests = 20 * run.far_bytes / run.chunk_bytes,
          .pattern = {.whole_bytes = 20 * run.far_bytes},
          .chunk_bytes = run.chunk_bytes,
          .link = run.link};
}

TEST(UsualReads, ScatteredReadsMerge) {
  PlannedRun run = RunWith({.list_reads = 1, .parts = 11});  // gaps of 10 kB
  const FarReads apart = UsualReads(run);
  EXPECT_NEAR(apart.bytes, kFarBytes, 1000);
  EXPECT_NEAR(apart.requests, kFarBytes / 1000, 0.02 * apart.requests);
  run.link.requests_per_second = 1e5;  // a request is as 10 kB
  const FarReads merged = UsualReads(run);
  EXPECT_NEAR(merged.requests, 0.37 * apart.requests, 0.1 * apart.requests);
  EXPECT_GT(merged.bytes, 3 * apart.bytes);
  run.link.requests_per_second = 1;
  EXPECT_NEAR(UsualReads(run).bytes, 11 * kFarBytes, 1000);
}

TEST(UsualReads, SomeGapsAreWideWhereNearlyAllAreNarrow) {
  PlannedRun run = RunWith({.list_reads = 1, .parts = 11});  // gaps of 10 kB
  run.link.requests_per_second = 1e4;                        // a request is as 100 kB
  const FarReads reads = UsualReads(run);
  const double bytes = 11 * kFarBytes;
  EXPECT_NEAR(reads.bytes, bytes, 0.01 * bytes);
  EXPECT_NEAR(reads.requests, bytes / 100'000 + bytes / 258'192, 100) << "of chunks and pieces";
}

TEST(UsualReads, CountTheListsThatStepsAskFor) {
  EXPECT_EQ(UsualReads(RunWith({.list_reads = 3, .parts = 3})).lists, 0) << "all are read";
  PlannedRun run = RunWith({.list_reads = 0.5, .parts = 11});
  EXPECT_EQ(UsualReads(run).lists, 0.5 * kFarBytes / 1000);
  run.keeps_blocks = true;
  EXPECT_EQ(UsualReads(run).lists, 0.5 * kFarBytes / 1000) << "in blocks or not";
}

TEST(UsualReads, ABlockThatIsKeptServesSeveralListsOfASearch) {
  PlannedRun run = RunWith({.list_reads = 1, .parts = 11});
  const double lists = UsualReads(run).requests;
  run.keeps_blocks = true;
  const FarReads kept = UsualReads(run);
  EXPECT_LT(kept.requests, lists / 100);
  EXPECT_GT(kept.requests, lists / 250);
  EXPECT_DOUBLE_EQ(kept.bytes, 4096 * kept.requests);
  run.effort.parts = run.effort.list_reads;  // all lists at once
  EXPECT_DOUBLE_EQ(UsualReads(run).bytes, kFarBytes);
}

TEST(UsualReads, StepsThatFindTheirBlocksDoNotWait) {
  PlannedRun run = RunWith({.list_reads = 1, .parts = 11, .steps = 3});
  run.keeps_blocks = true;
  EXPECT_EQ(UsualReads(run).scans, 3);
  run.effort.steps = 1e9;
  EXPECT_DOUBLE_EQ(UsualReads(run).scans, UsualReads(run).requests / 8);
}

TEST(UsualReads, OfFewListsTheGapsAreWide) {
  PlannedRun run = RunWith({.list_reads = 0.1, .parts = 1.1});  // gaps of 10 kB, as above
  EXPECT_NEAR(UsualReads(run).bytes, 0.1 * kFarBytes, 1000);
  run.link.requests_per_second = 1;
  EXPECT_NEAR(UsualReads(run).bytes, 1.1 * kFarBytes, 1000);
  run.effort.list_reads = 0;
  EXPECT_EQ(UsualReads(run).bytes, 0);
}

TEST(FarReads, ACacheMayBeOfMoreUseThanItsShare) {
  PlannedRun run = RunWith({.list_reads = 10});
  run.reads_exponent = 2;
  EXPECT_DOUBLE_EQ(UsualReads(run).bytes, 10 * 0.5 * kFarBytes);
  EXPECT_DOUBLE_EQ(ReadsLike(FullScans(), run).bytes, 10 * 0.5 * kFarBytes);
}

TEST(ReadsLike, OfHalfTheListsHalfIsRead) {
  const FarReads reads = ReadsLike(FullScans(), RunWith({}));
  EXPECT_DOUBLE_EQ(reads.bytes, 10 * kFarBytes);
  EXPECT_DOUBLE_EQ(reads.requests, 10 * kFarBytes / 100'000);
  EXPECT_EQ(reads.scans, 10);
}

TEST(ReadsLike, RequestsMergeAsTheLinkHasIt) {
  PastRuns past = FullScans();
  past.placement.far_ratio = 0.5;
  past.pattern = {.chunks = 100, .run_bytes = 1'000'000};
  past.pattern.gaps[3] = {.count = 900, .bytes = 4'500'000};
  past.bytes_fetched = 2 * 1'000'000;  // with weights
  past.requests = 2 * 1000;
  PlannedRun run = RunWith({});
  run.placement.far_ratio = 0.25;
  EXPECT_DOUBLE_EQ(ReadsLike(past, run).bytes, 1'000'000);
  EXPECT_DOUBLE_EQ(ReadsLike(past, run).requests, 1000);
  run.link.requests_per_second = 1e5;  // a request is as 10 kB
  EXPECT_DOUBLE_EQ(ReadsLike(past, run).bytes, 5'500'000);
  EXPECT_DOUBLE_EQ(ReadsLike(past, run).requests, 100);
}

TEST(ReadsLike, CodesAreFewerBytesThanEdgesInAsManyRequests) {
  PlannedRun run = RunWith({});
  run.placement.compressed = true;
  run.list_bytes_otherwise = 2 * run.list_bytes;
  EXPECT_DOUBLE_EQ(ReadsLike(FullScans(), run).bytes, 5 * kFarBytes);
  EXPECT_DOUBLE_EQ(ReadsLike(FullScans(), run).requests, 10 * kFarBytes / 100'000);
}

}  // namespace
}  // namespace fargraph
