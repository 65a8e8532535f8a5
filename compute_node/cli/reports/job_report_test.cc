#include "compute_node/cli/reports/job_report.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

JobReport FarBfs() {
  return {.algorithm = "bfs",
          .graph = "data/wiki",
          .vertices = 7115,
          .edges = 103689,
          .transport = "shm",
          .far_ratio = 0.8,
          .attached = true,
          .seconds = 0.5,
          .trial_seconds = {0.75, 0.5},
          .load_seconds = 2,
          .iterations = 6,
          .bytes_fetched = 1000,
          .bytes_useful = 750,
          .requests = 12,
          .stall_seconds = 0.125,
          .link_peak_bytes_per_second = 4000,
          .chunk_bytes = 65536,
          .buffers = 3,
          .peak_memory_bytes = 3 << 20,
          .verified = true,
          .answer = {{"source", 3},
                     {"reached", 2316},
                     {"levels", 6},
                     {"level_histogram", {1, 23, 1000, 1292}}}};
}

TEST(JobReportTest, TheJsonHasTheReportAndTheAnswerAtTheTopLevel) {
  const nlohmann::ordered_json expected = {{"algorithm", "bfs"},
                                           {"graph", "data/wiki"},
                                           {"vertices", 7115},
                                           {"edges", 103689},
                                           {"seconds", 0.5},
                                           {"trial_seconds", {0.75, 0.5}},
                                           {"load_seconds", 2.0},
                                           {"iterations", 6},
                                           {"transport", "shm"},
                                           {"far_ratio", 0.8},
                                           {"ssd_ratio", 0.0},
                                           {"attached", true},
                                           {"bytes_fetched", 1000},
                                           {"bytes_useful", 750},
                                           {"requests", 12},
                                           {"stall_seconds", 0.125},
                                           {"link_peak_bytes_per_second", 4000.0},
                                           {"compressed", false},
                                           {"chunk_bytes", 65536},
                                           {"buffers", 3},
                                           {"peak_memory_bytes", 3 << 20},
                                           {"verified", true},
                                           {"source", 3},
                                           {"reached", 2316},
                                           {"levels", 6},
                                           {"level_histogram", {1, 23, 1000, 1292}}};
  EXPECT_EQ(JobReportJson(FarBfs()).dump(2), expected.dump(2));
}

TEST(JobReportTest, WhatWasNotVerifiedIsNull) {
  JobReport report = FarBfs();
  report.verified.reset();
  EXPECT_TRUE(JobReportJson(report)["verified"].is_null());
  EXPECT_THAT(JobReportText(report), Not(HasSubstr("verified")));
}

TEST(JobReportTest, SaysWhenListsStayedCompressed) {
  JobReport report = FarBfs();
  report.compressed = true;
  EXPECT_THAT(JobReportText(report), HasSubstr("80.0% far over shm, compressed, kept there"));
}

TEST(JobReportTest, AnAnswerCannotHideAFieldOfTheReport) {
  JobReport report = FarBfs();
  report.answer["seconds"] = "hidden";
  EXPECT_EQ(JobReportJson(report)["seconds"], 0.5);
}

TEST(JobReportTest, AJobWithoutAnswerIsAReportToo) {
  EXPECT_EQ(JobReportJson(JobReport()).size(), 22u);
}

TEST(JobReportTest, TheTextIsShortAndAligned) {
  EXPECT_EQ(JobReportText(FarBfs()),
            "bfs on data/wiki: 7115 vertices, 103689 edges\n"
            "  source           3\n"
            "  reached          2316\n"
            "  levels           6\n"
            "  level_histogram  [1, 23, 1000, 1292]\n"
            "  time             0.500 s in 6 iterations, after 2.000 s of loading\n"
            "  edges            80.0% far over shm, kept there by an earlier job\n"
            "  fetched          1000 B in 12 requests, 75% useful, 50% of the link's peak\n"
            "  stalled          0.125 s\n"
            "  peak memory      3 MiB\n"
            "  verified         yes\n");
}

TEST(JobReportTest, ALocalJobSaysNothingOfLinks) {
  JobReport report = FarBfs();
  report.far_ratio = 0;
  EXPECT_THAT(JobReportText(report), HasSubstr("edges            all local\n"));
  EXPECT_THAT(JobReportText(report), Not(HasSubstr("fetched")));
}

TEST(JobReportTest, WhatIsOnSsdBesideMemoryNodesIsSaid) {
  JobReport report = FarBfs();
  report.transport = "shm+ssd";
  report.ssd_ratio = 0.25;
  EXPECT_THAT(JobReportText(report),
              HasSubstr("80.0% far over shm+ssd, 25.0% on SSD, there already\n"));
}

TEST(JobReportTest, WhereEdgesOnSsdsComeFromIsSaid) {
  JobReport report = FarBfs();
  report.transport = "ssd";
  EXPECT_THAT(JobReportText(report), HasSubstr("80.0% on SSD, there already\n"));
  report.attached = false;
  EXPECT_THAT(JobReportText(report), HasSubstr("80.0% on SSD, copied there by this job\n"));
}

TEST(JobReportTest, LongListsAndPairsStayReadable) {
  JobReport report = FarBfs();
  report.answer = {{"level_histogram", std::vector<int>(500, 7)},
                   {"top10", {{4037, 0.0046127158911675485}, {15, 0.0036812207295292}}}};
  const std::string text = JobReportText(report);
  EXPECT_THAT(text, HasSubstr("[7, 7, 7, 7, 7, 7, 7, 7, 7, 7 and 490 more]\n"));
  EXPECT_THAT(text, HasSubstr("top10            [4037, 0.004612715891], [15, 0.00368122073]\n"));
}

}  // namespace
}  // namespace fargraph
