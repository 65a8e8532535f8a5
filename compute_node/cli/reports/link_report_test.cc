#include "compute_node/cli/reports/link_report.h"

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

LinkReport Report() {
  return {.endpoints = {"10.0.0.1:7400", "10.0.0.2:7400"},
          .transport = "tcp",
          .sweep = {.points = {{.load = {4096, 1, 1}, .reads_per_second = 262144},
                               {.load = {4096, 8, 1}, .reads_per_second = 524288},
                               {.load = {65536, 8, 1}, .reads_per_second = 65536},
                               {.load = {65536, 16, 2}, .reads_per_second = 65540}},
                    .profile = {.threads = 2,
                                .bytes_per_second = 4294967296,
                                .requests_per_second = 1e6,
                                .read_seconds = 7.5e-6},
                    .tuning = {.chunk_bytes = 65536, .slots = SlotsFor(8), .queue_pairs = 1}},
          .measured = absl::FromUnixSeconds(1700000000)};
}

TEST(LinkReport, TheTableHasThroughputRequestsAndLatency) {
  const std::string text = LinkReportText(Report(), Report().measured + absl::Hours(3));
  EXPECT_THAT(text,
              HasSubstr("10.0.0.1:7400, 10.0.0.2:7400 over tcp, 2 threads, measured 3 hours"));
  EXPECT_THAT(text, testing::ContainsRegex("4 KiB +1 +1 +1.00 +[0-9.]+ +262144 +7.6 us"));
  EXPECT_THAT(text, testing::ContainsRegex("64 KiB +8 +1 +4.00 +[0-9.]+ +65536 +244.1 us"));
  EXPECT_THAT(text, HasSubstr("latency 7.5 us, 1000000 requests/s, 4.00 GiB/s"));
  EXPECT_THAT(text, HasSubstr("chunks of 64 KiB, 11 buffers"));
  EXPECT_THAT(text, HasSubstr("gaps up to 4.2 KiB"));
}

TEST(LinkReport, TheJsonHasTheSameInBaseUnits) {
  const auto json = LinkReportJson(Report());
  EXPECT_EQ(json["memory_nodes"].size(), 2u);
  EXPECT_EQ(json["measured"], "2023-11-14T22:13:20+00:00");
  EXPECT_EQ(json["points"].size(), 4u);
  EXPECT_EQ(json["points"][2]["bytes_per_second"], 4294967296.0);
  EXPECT_EQ(json["fit"]["latency_seconds"], 7.5e-6);
  EXPECT_EQ(json["choice"]["chunk_bytes"], 65536);
  EXPECT_EQ(json["choice"]["buffers"], 11);
  EXPECT_EQ(json["choice"]["break_even_gap_bytes"], 4294);
}

TEST(LinkReport, TheJsonNamesDirectoriesAsSuch) {
  LinkReport report = Report();
  report.endpoints = {"/mnt/a"};
  report.sweep.is_device = true;
  const auto json = LinkReportJson(report);
  EXPECT_EQ(json["ssd_dirs"], std::vector<std::string>{"/mnt/a"});
  EXPECT_FALSE(json.contains("memory_nodes"));
}

TEST(LinkReport, ThePictureHasALineForEachDepthAndTheChoice) {
  const std::string svg = LinkReportPicture(Report());
  EXPECT_THAT(svg, HasSubstr(">depth 1<"));
  EXPECT_THAT(svg, HasSubstr(">depth 8<"));
  EXPECT_THAT(svg, HasSubstr(">chosen: 64 KiB, depth 8<"));
  EXPECT_THAT(svg, HasSubstr(">4 KiB<"));
  EXPECT_THAT(svg, HasSubstr(">64 KiB<"));
}

}  // namespace
}  // namespace fargraph
