#include "compute_node/cli/reports/top_report.h"

#include "common/units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

TEST(TopTextTest, ANodeIsALineAndEachOfItsClientsAnother) {
  const MemoryNodeStats stats = {
      .capacity_bytes = 8 * kGiB,
      .allocated_bytes = 2 * kGiB,
      .regions = 3,
      .leases = 2,
      .uptime_seconds = 90,
      .clients = {{"fargraph (process 1 on near)", transport::Kind::kVerbs, 9 * kGiB, 1.5 * kGiB},
                  {"fargraph (process 2 on near)", transport::Kind::kTcp, kGiB, 0.5 * kGiB}}};
  const std::string text = TopText({{"far:7800", stats}});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  for (const char* part : {"far:7800", "8 GiB", "2 GiB", " 25%", "2 GiB/s", "1m30s", "1.5 GiB/s",
                           "over verbs", "512 MiB/s", "over tcp", "fargraph (process 2 on near)"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(TopTextTest, ANodeThatDoesNotAnswerSaysWhy) {
  EXPECT_THAT(TopText({{"far:7800", absl::UnavailableError("nobody there")}}),
              HasSubstr("far:7800                 nobody there\n"));
}

}  // namespace
}  // namespace fargraph
