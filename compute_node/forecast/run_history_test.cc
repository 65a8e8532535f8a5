#include "compute_node/forecast/run_history.h"

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/files/file.h"
#include "common/files/test_directory.h"
#include "common/units.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

JobId Job(const std::string& graph = "0123") {
  return {
      .host = "here", .graph = graph, .kernel = "bfs", .options = "precision=double", .threads = 4};
}

PastRuns Past(double far_ratio, double seconds) {
  return {
      .placement = {.transport = "tcp", .hosts = {"10.0.0.1"}, .far_ratio = far_ratio},
      .seconds = {seconds},
      .estimated_seconds = 17,
      .iterations = 7,
      .far_scans = 5,
      .bytes_fetched = 1000,
      .requests = 10,
      .pattern = {.whole_bytes = 300, .chunks = 20, .run_bytes = 600, .gaps = {{{0, 0}, {3, 70}}}},
      .chunk_bytes = 64,
      .link = {.threads = 4,
               .bytes_per_second = 1e9,
               .requests_per_second = 1e6,
               .read_seconds = 1e-5,
               .processor_share = 0.25}};
}

class RunHistoryTest : public testing::Test {
 protected:
  void Add(const JobId& job, const PastRuns& run) const {
    const absl::Status added = history_.Add(job, run);
    ASSERT_TRUE(added.ok()) << added;
  }

  TestDirectory directory_;
  std::string path_ = directory_.path() + "/cache/fargraph/runs.json";
  RunHistory history_{path_};
};

TEST_F(RunHistoryTest, WhatIsAddedIsFound) {
  EXPECT_TRUE(history_.Find(Job()).empty());
  Add(Job(), Past(0.5, 2));
  const std::vector<PastRuns> found = history_.Find(Job());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].placement.IsLike(Past(0.5, 2).placement));
  EXPECT_EQ(found[0].seconds, std::vector<double>{2});
  EXPECT_EQ(found[0].estimated_seconds, 17);
  EXPECT_EQ(found[0].iterations, 7u);
  EXPECT_EQ(found[0].bytes_fetched, 1000u);
  EXPECT_EQ(found[0].requests, 10u);
  EXPECT_EQ(found[0].far_scans, 5u);
  EXPECT_EQ(found[0].pattern.FetchBy(0, 100).requests, 3 + 20 + 3);
  EXPECT_EQ(found[0].pattern.FetchBy(64, 100).bytes, 300 + 600 + 70);
  EXPECT_EQ(found[0].chunk_bytes, 64u);
  EXPECT_EQ(found[0].link.bytes_per_second, 1e9);
  EXPECT_EQ(found[0].link.requests_per_second, 1e6);
  EXPECT_EQ(found[0].link.read_seconds, 1e-5);
  EXPECT_EQ(found[0].link.processor_share, 0.25);
}

TEST_F(RunHistoryTest, ADifferenceInAnythingIsAnotherJob) {
  Add(Job(), Past(0.5, 2));
  EXPECT_TRUE(history_.Find(Job("4567")).empty());
  for (const auto change :
       {+[](JobId& job) { job.host = "there"; }, +[](JobId& job) { job.kernel = "wcc"; },
        +[](JobId& job) { job.options = "precision=single"; },
        +[](JobId& job) { ++job.threads; }}) {
    JobId other = Job();
    change(other);
    EXPECT_TRUE(history_.Find(other).empty());
  }
}

TEST_F(RunHistoryTest, RunsWithOnePlacementAreKeptTogetherAndTheLastFewCount) {
  for (const double seconds : {9, 1, 2, 3, 4, 50}) Add(Job(), Past(0.8, seconds));
  Add(Job(), Past(0.5, 7));
  Add(Job(), Past(0.803, 60));
  const std::vector<PastRuns> found = history_.Find(Job());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].seconds, (std::vector<double>{60, 50, 4, 3, 2}));
  EXPECT_EQ(found[0].MedianSeconds(), 4);
  EXPECT_EQ(found[1].placement.far_ratio, 0.5);
}

TEST_F(RunHistoryTest, AnotherLinkOrOtherCopiesAreAnotherPlacement) {
  ListPlacement placement = Past(0.8, 1).placement;
  EXPECT_TRUE(placement.IsLike(Past(0.804, 1).placement));
  EXPECT_FALSE(placement.IsLike(Past(0.81, 1).placement));
  for (const auto change : {+[](ListPlacement& p) { p.transport = "shm"; },
                            +[](ListPlacement& p) { p.hosts = {"10.0.0.2"}; },
                            +[](ListPlacement& p) { p.copy_bytes = 1; },
                            +[](ListPlacement& p) { p.compressed = true; }}) {
    ListPlacement other = placement;
    change(other);
    EXPECT_FALSE(placement.IsLike(other));
  }
}

TEST_F(RunHistoryTest, AllJobsOfAMachineAreFound) {
  JobId other = Job("4567");
  other.kernel = "wcc";
  Add(Job(), Past(0.5, 2));
  Add(other, Past(0.8, 3));
  ++other.threads;
  Add(other, Past(0, 4));
  const auto all = history_.FindAll(Job());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].at(0).placement.far_ratio, 0.8);
  EXPECT_EQ(all[1].at(0).placement.far_ratio, 0.5);
}

TEST_F(RunHistoryTest, WhatIsDamagedIsNotThereAndIsReplaced) {
  Add(Job(), Past(0.5, 2));
  const std::string good = *ReadSmallFile(path_, kMiB);
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[1, 2]"), std::string("null"),
        std::string("\xff\xfe"), good.substr(0, good.size() / 2),
        absl::StrReplaceAll(good, {{"\"version\": 6", "\"version\": 5"}}),
        absl::StrReplaceAll(good, {{"\"runs\"", "\"ruins\""}}),
        absl::StrReplaceAll(good, {{"\"seconds\"", "\"secants\""}}),
        absl::StrReplaceAll(good, {{"2.0", "-2.0"}}), absl::StrReplaceAll(good, {{"2.0", "0.0"}}),
        absl::StrReplaceAll(good, {{"2.0", "\"two\""}}), absl::StrReplaceAll(good, {{"2.0", ""}}),
        absl::StrReplaceAll(good, {{"\"far_ratio\": 0.5", "\"far_ratio\": 5"}}),
        absl::StrReplaceAll(good, {{"\"gaps\"", "\"caps\""}}),
        absl::StrReplaceAll(good, {{"17.0", "0.0"}}),
        absl::StrReplaceAll(good, {{"\"chunk_bytes\": 64", "\"chunk_bytes\": 0"}}),
        absl::StrReplaceAll(good, {{"1000000000.0", "0.0"}}),
        absl::StrReplaceAll(good, {{"\"iterations\": 7", "\"iterations\": \"seven\""}})}) {
    ASSERT_NE(bad, good);
    std::ofstream(path_) << bad;
    EXPECT_TRUE(history_.Find(Job()).empty()) << bad;
    Add(Job(), Past(0.5, 2));
    EXPECT_EQ(history_.Find(Job()).size(), 1u) << bad;
  }
}

TEST_F(RunHistoryTest, DoesNotGrowForEver) {
  for (int graph = 0; graph < 70; ++graph) {
    Add(Job(absl::StrCat("graph ", graph)), Past(0.5, 2));
  }
  EXPECT_TRUE(history_.Find(Job("graph 0")).empty());
  EXPECT_EQ(history_.Find(Job("graph 69")).size(), 1u);
  for (int percent = 5; percent <= 100; percent += 5) Add(Job(), Past(percent / 100.0, 2));
  EXPECT_LT(history_.Find(Job()).size(), 20u);
  EXPECT_EQ(history_.Find(Job())[0].placement.far_ratio, 1);
}

TEST_F(RunHistoryTest, WithoutAPathItKeepsNothing) {
  const RunHistory none("");
  EXPECT_TRUE(none.Add(Job(), Past(0.5, 2)).ok());
  EXPECT_TRUE(none.Find(Job()).empty());
}

}  // namespace
}  // namespace fargraph
