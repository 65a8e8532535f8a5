#include "compute_node/tiers/read_trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "common/files/test_directory.h"
#include "compute_node/replay/spc_trace.h"
#include "compute_node/testing/fake_tier.h"
#include "compute_node/tiers/far_space.h"
#include "gmock/gmock.h"
#include "graph/readers/input_file.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ReadTraceTest : public ::testing::Test {
 protected:
  ReadTraceTest() : trace_(ReadTrace::Create(path_).value()) {}

  std::string Text() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

  const TestDirectory directory_;
  const std::string path_ = directory_.Path("trace");
  std::unique_ptr<ReadTrace> trace_;
};

TEST_F(ReadTraceTest, ALineNamesSegmentAndBlocks) {
  const std::vector<Extent> extents = {
      {.address = 1000, .length = 30},                             // across the end of a block
      {.address = 2 * kSegmentSpan + 512, .length = 512},          // exactly one
      {.address = kSsdSpace + kSegmentSpan + 4096, .length = 513}  // one more byte
  };
  trace_->Add(extents);
  ASSERT_TRUE(trace_->Commit().ok());
  EXPECT_EQ(Text(), "0,1,1024,r,0\n4,1,512,r,0\n3,8,1024,r,0\n");
}

TEST_F(ReadTraceTest, ReadsOfAnIterationHaveOneTime) {
  const Extent extent = {.address = 0, .length = 1};
  for (const int reads : {2, 0, 3, 1}) {
    for (int i = 0; i < reads; ++i) trace_->Add({&extent, 1});
    trace_->BeginIteration();
  }
  ASSERT_TRUE(trace_->Commit().ok());
  const auto read = ReadSpcTrace(OpenInputFile(path_).value());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(read->moment_ends, ElementsAre(2, 5, 6));
}

TEST_F(ReadTraceTest, AQueueIsFollowedAndDoesAsBefore) {
  std::array<std::byte, 2048> memory = {}, buffer;
  memory[700] = std::byte{7};
  const auto queue =
      TracedQueue(std::make_unique<FakeTier>(absl::MakeSpan(memory), /*seed=*/1), *trace_);
  const Extent extent = {.address = 700, .length = 1, .destination = buffer.data()};
  ASSERT_TRUE(queue->Submit({&extent, 1}, /*tag=*/0).ok());
  uint32_t tag = 1;
  while (queue->in_flight() > 0) ASSERT_TRUE(queue->Poll({&tag, 1}).ok());
  EXPECT_EQ(tag, 0u);
  EXPECT_EQ(buffer[0], std::byte{7});
  EXPECT_EQ(queue->traffic().bytes, 1u);
  ASSERT_TRUE(trace_->Commit().ok());
  EXPECT_EQ(Text(), "0,1,512,r,0\n");
}

TEST_F(ReadTraceTest, NothingIsLeftOfAJobThatFails) {
  const std::vector<Extent> extents(100'000,
                                    {.address = 0, .length = 1});  // beyond what is held back
  trace_->Add(extents);
  trace_ = nullptr;
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST(ReadTrace, AFullDiskIsReportedAtTheEnd) {
  auto trace = ReadTrace::Create("/dev/full");
  ASSERT_TRUE(trace.ok()) << trace.status();
  const std::vector<Extent> extents(100'000, {.address = 0, .length = 1});
  (*trace)->Add(extents);
  EXPECT_THAT(std::string((*trace)->Commit().message()), HasSubstr("/dev/full"));
}

}  // namespace
}  // namespace fargraph
