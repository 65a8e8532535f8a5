#include "compute_node/doctor/report.h"

#include "gtest/gtest.h"

namespace fargraph::doctor {
namespace {

const std::vector<NodeFindings> kNodes = {
    {"this host",
     {{.check = "swap", .value = "none", .mend = {}},
      {.check = "memlock", .level = Level::kProblem, .value = "8 MiB", .mend = "ulimit -l\nmore"}}},
    {"far:7800",
     {{.check = "swap", .level = Level::kWarning, .value = "1 GiB", .mend = "swapoff --all"}}}};

TEST(DoctorReportTest, EveryFindingIsOneLineBehindItsNode) {
  EXPECT_EQ(ReportText(kNodes),
            "this host\n"
            "ok       swap                     none\n"
            "problem  memlock                  8 MiB  -> ulimit -l more\n"
            "far:7800\n"
            "warning  swap                     1 GiB  -> swapoff --all\n");
}

TEST(DoctorReportTest, JsonHasTheSameAndCounts) {
  const auto report = ReportJson(kNodes);
  EXPECT_EQ(report["problems"], 1);
  EXPECT_EQ(report["warnings"], 1);
  ASSERT_EQ(report["checks"].size(), 3u);
  EXPECT_EQ(report["checks"][2]["node"], "far:7800");
  EXPECT_EQ(report["checks"][2]["level"], "warning");
  EXPECT_EQ(report["checks"][2]["mend"], "swapoff --all");
}

}  // namespace
}  // namespace fargraph::doctor
