#include "compute_node/cli/reports/plan_report.h"

#include "common/units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

PlacementForecast At(double far_ratio, double seconds, Basis basis) {
  return {.far_ratio = far_ratio,
          .peak_memory_bytes = 40 * kMiB,
          .run = {.seconds = seconds,
                  .bytes_fetched = far_ratio > 0 ? 640 * kMiB : 0,
                  .requests = 10,
                  .iterations = 10,
                  .basis = basis}};
}

JobForecast FarPageRank() {
  const std::vector<DataSegment> segments = {{.name = "in.edges",
                                              .bytes = 80 * kMiB,
                                              .behaviour = kStreamedReadOnly,
                                              .residence = Residence::kLocalOrFar},
                                             {.name = "rank", .bytes = 4 * kMiB}};
  return {
      .algorithm = "pagerank",
      .graph = "data/wiki",
      .vertices = 7115,
      .edges = 103689,
      .threads = 2,
      .transport = "tcp",
      .placement = PlanAtFarRatio(segments, 0.75),
      .chunk_bytes = 128 * kKiB,
      .buffers = 3,
      .link = {.threads = 2, .bytes_per_second = static_cast<double>(2 * kGiB)},
      .process_bytes = 16 * kMiB,
      .huge_pages = {.reserved = 20, .available = 12, .transparent = HugePages::Transparent::kOn},
      .huge_pages_wanted = 14,
      .planned = At(0.75, 0.5, Basis::kSameRun),
      .others = {At(0, 0.25, Basis::kEstimate), At(1, 12.5, Basis::kOtherRuns)},
      .smallest_budget = 5000000};
}

TEST(PlanReport, TheTextHasSegmentsFarRatiosAndTheRest) {
  const std::string text = PlanReportText(FarPageRank());
  EXPECT_THAT(text, HasSubstr("pagerank on data/wiki: 7115 vertices, 103689 edges, 2 threads"));
  EXPECT_THAT(text, ContainsRegex("in.edges +1 streamed +80 MiB +20 MiB +60 MiB +128 KiB\n"
                                  "rank +4 random, written +4 MiB +4 MiB +- +-\n"
                                  "the process +16 MiB +- +-\n"
                                  "at the peak +40 MiB +60 MiB +-\n"));
  EXPECT_THAT(text, ContainsRegex("0.000 +40 MiB +- +0.2500 s  estimate\n"));
  EXPECT_THAT(text, ContainsRegex("1.000 +40 MiB +640 MiB +12.50 s  from other runs\n"));
  EXPECT_THAT(text, ContainsRegex("time +0.5000 s, measured on the last runs\n"));
  EXPECT_THAT(text,
              HasSubstr("640 MiB over tcp, 64 MiB an iteration of 10; the link carries 2 GiB/s"));
  EXPECT_THAT(text, ContainsRegex("huge pages +only 12 of 20 reserved are free, .*echo 22 > .*\n"));
  EXPECT_THAT(text, ContainsRegex("smallest budget +--local_memory=5000000B\n"));
}

TEST(PlanReport, LinesOfATableAreAligned) {
  const std::string text = PlanReportText(FarPageRank());
  const size_t header = text.find("segment ");
  const size_t row = text.find("in.edges ");
  EXPECT_EQ(text.find('\n', header) - header, text.find('\n', row) - row);
  EXPECT_THAT(text, Not(HasSubstr(" \n")));
}

TEST(PlanReport, WithMemoryNodesAndSsdsEachHasItsBytes) {
  JobForecast forecast = FarPageRank();
  forecast.transport = "shm+ssd";
  DivideFarBytes({.free_bytes = 40 * kMiB}, forecast.placement);
  const std::string text = PlanReportText(forecast);
  EXPECT_THAT(text, ContainsRegex("local +far +SSD +chunk\n"
                                  "in.edges +1 streamed +80 MiB +20 MiB +40 MiB +20 MiB +128 KiB\n"
                                  "rank +4 random, written +4 MiB +4 MiB +- +- +-\n"
                                  "the process +16 MiB +- +- +-\n"
                                  "at the peak +40 MiB +40 MiB +20 MiB +-\n"));
  const auto json = PlanReportJson(forecast);
  EXPECT_EQ(json["segments"][0]["far_bytes"], 60 * kMiB);
  EXPECT_EQ(json["segments"][0]["ssd_bytes"], 20 * kMiB);
}

TEST(PlanReport, AllLocalThereIsNoLink) {
  JobForecast forecast = FarPageRank();
  forecast.planned = At(0, 0.5, Basis::kEstimate);
  forecast.others.clear();
  const std::string text = PlanReportText(forecast);
  EXPECT_THAT(text, Not(HasSubstr("over the link")));
  EXPECT_THAT(text, HasSubstr("an estimate: no job like this has run here yet"));
}

TEST(PlanReport, TheJsonHasTheSameInBaseUnits) {
  const auto json = PlanReportJson(FarPageRank());
  EXPECT_EQ(json["algorithm"], "pagerank");
  EXPECT_EQ(json["far_ratio"], 0.75);
  EXPECT_EQ(json["peak_memory_bytes"], 40 * kMiB);
  EXPECT_EQ(json["bytes_fetched"], 640 * kMiB);
  EXPECT_EQ(json["bytes_fetched_per_iteration"], 64 * kMiB);
  EXPECT_EQ(json["seconds"], 0.5);
  EXPECT_EQ(json["basis"], "measured");
  EXPECT_EQ(json["process_bytes"], 16 * kMiB);
  EXPECT_EQ(json["huge_pages_wanted"], 14);
  EXPECT_EQ(json["huge_pages_available"], 12);
  EXPECT_EQ(json["smallest_budget_bytes"], 5000000);
  EXPECT_EQ(json["segments"][0]["name"], "in.edges");
  EXPECT_EQ(json["segments"][0]["group"], 1);
  EXPECT_EQ(json["segments"][0]["far_bytes"], 60 * kMiB);
  EXPECT_EQ(json["segments"][0]["chunk_bytes"], 128 * kKiB);
  EXPECT_EQ(json["segments"][1]["group"], 4);
  EXPECT_TRUE(json["segments"][1]["chunk_bytes"].is_null());
  EXPECT_EQ(json["far_ratios"].size(), 2u);
  EXPECT_EQ(json["far_ratios"][1]["basis"], "from other runs");
}

}  // namespace
}  // namespace fargraph
