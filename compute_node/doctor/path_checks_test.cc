#include "compute_node/doctor/path_checks.h"

#include "absl/strings/str_cat.h"
#include "compute_node/testing/memory_nodes.h"
#include "compute_node/tiers/far_memory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::doctor {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using transport::RdmaDescription;

const absl::StatusOr<RdmaDescription> kNoRdma = absl::FailedPreconditionError("none");

Finding Find(const std::vector<Finding>& findings, const std::string& check) {
  for (const Finding& finding : findings) {
    if (finding.check == check) return finding;
  }
  ADD_FAILURE() << "no finding " << check;
  return {};
}

TEST(PathChecksTest, ANodeThatIsReadyIsReadFromAndDescribesItsHost) {
  const MemoryNodes nodes(1, 4 * kMiB);
  for (const auto kind : {transport::Kind::kShm, transport::Kind::kTcp}) {
    const auto findings =
        CheckPath({.memory_node = nodes.addresses()[0], .token = "", .transport = kind}, kNoRdma);
    EXPECT_EQ(Find(findings, "control port").value, "answers; lends 4 MiB");
    EXPECT_EQ(Find(findings, "data port").level, Level::kOk);
    EXPECT_EQ(Find(findings, "data port").value,
              absl::StrCat("64 KiB read over ", transport::KindName(kind), ", as asked"));
    EXPECT_EQ(Find(findings, "swap").check, "swap");  // of its host
  }
}

TEST(PathChecksTest, NobodyThereIsAProblem) {
  const auto findings =
      CheckPath({.memory_node = "127.0.0.1:1", .token = "", .transport = {}}, kNoRdma);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].check, "control port");
  EXPECT_EQ(findings[0].level, Level::kProblem);
  EXPECT_THAT(findings[0].mend, HasSubstr("fargraph-memory-node --listen=127.0.0.1:1 "));
}

TEST(PathChecksTest, AMissingTokenIsAProblem) {
  const MemoryNodes nodes(1, 4 * kMiB, "token-of-the-test");
  const auto findings =
      CheckPath({.memory_node = nodes.addresses()[0], .token = "", .transport = {}}, kNoRdma);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].mend, HasSubstr("--token_file=FILE"));
}

TEST(PathChecksTest, ATransportThatTheNodeDoesNotOfferIsAProblemOfTheDataPort) {
  const MemoryNodes nodes(1, 4 * kMiB);
  const auto findings = CheckPath(
      {.memory_node = nodes.addresses()[0], .token = "", .transport = transport::Kind::kVerbs},
      kNoRdma);
  EXPECT_EQ(Find(findings, "control port").level, Level::kOk);
  EXPECT_EQ(Find(findings, "data port").level, Level::kProblem);
}

TEST(PathChecksTest, AFullNodeIsNotTried) {
  const MemoryNodes nodes(1, 4 * kMiB);
  auto memory =
      FarMemory::Connect({.memory_nodes = nodes.addresses(), .transport = {}, .control = {}});
  ASSERT_TRUE(memory.ok() && (*memory)->Allocate("all", 4 * kMiB).ok());
  const auto findings =
      CheckPath({.memory_node = nodes.addresses()[0], .token = "", .transport = {}}, kNoRdma);
  EXPECT_EQ(Find(findings, "data port").level, Level::kWarning);
  EXPECT_THAT(Find(findings, "data port").value, StartsWith("not tried: "));
  EXPECT_THAT(Find(findings, "data port").mend,
              AllOf(HasSubstr("--free=NAME"), Not(HasSubstr("--free_all"))));
}

TEST(PathChecksTest, ComparesTheMtuOfBothEnds) {
  RdmaDescription here = {.device = "mlx5_0", .mtu_bytes = 4096};
  EXPECT_EQ(CompareMtu(here, {.device = "mlx5_1", .mtu_bytes = 4096}).level, Level::kOk);
  const Finding there_smaller = CompareMtu(here, {.device = "mlx5_1", .mtu_bytes = 1024});
  EXPECT_EQ(there_smaller.level, Level::kWarning);
  EXPECT_EQ(there_smaller.value, "4096 bytes here (mlx5_0), 1024 there (mlx5_1)");
  EXPECT_THAT(there_smaller.mend, HasSubstr("on the memory node"));
  here.mtu_bytes = 512;
  EXPECT_THAT(CompareMtu(here, {.device = "mlx5_1", .mtu_bytes = 1024}).mend,
              HasSubstr("on this host"));
}

TEST(PathChecksTest, TheReadDepthIsTheSmallerOfBothEnds) {
  RdmaDescription here = {.device = "mlx5_0", .reads_issued = 16};
  EXPECT_THAT(CompareReadDepth(here, {.device = "rxe0", .reads_answered = 128}).value,
              StartsWith("16: "));
  EXPECT_EQ(CompareReadDepth(here, {.device = "rxe0", .reads_answered = 128}).level, Level::kOk);
  EXPECT_EQ(CompareReadDepth(here, {.device = "rxe0", .reads_answered = 1}).level, Level::kProblem);
  here.reads_issued = 1;
  EXPECT_THAT(CompareReadDepth(here, {.device = "rxe0", .reads_answered = 16}).mend,
              HasSubstr("mlx5_0 on this host"));
}

}  // namespace
}  // namespace fargraph::doctor
