#include "compute_node/replay/replay_target.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "common/units.h"
#include "compute_node/testing/ssd_directories.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kBytes = 256 * kKiB;
constexpr ReplayOptions kOptions = {.block_bytes = 4 * kKiB, .merge_gap = 2, .most_blocks = 4};

class ReplayTargetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
    std::ofstream(path_) << std::string(kBytes, 'x') << std::flush;
  }

  SsdDirectories directory_{1};
  const std::string path_ = directory_.paths()[0] + "/target";
};

void ExpectUnfit(const absl::Status& status, absl::string_view why) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr(why));
}

TEST_F(ReplayTargetTest, ATraceIsReadUpToTheLastByteAndNothingIsWritten) {
  BlockTrace trace = {.device_bytes = kBytes};
  std::mt19937_64 random(4);
  for (int i = 0; i < 1000; ++i) trace.requests.push_back({random() % (kBytes - 512), 512});
  trace.requests.push_back({0, kBytes});
  const auto target = ReplayTarget::Open(path_, ReplayDeviceBytes(trace, kOptions));
  ASSERT_TRUE(target.ok()) << target.status();
  auto reader = target->MakeReader(kOptions, /*depth=*/7, /*cancelled=*/nullptr);
  ASSERT_TRUE(reader.ok()) << reader.status();
  const auto outcomes = Replay(trace, kOptions, &*reader);
  ASSERT_TRUE(outcomes.ok()) << outcomes.status();
  EXPECT_EQ(outcomes->back().requests, kBytes / (16 * kKiB));
  EXPECT_GT(outcomes->back().seconds.value(), 0);
  std::ifstream file(path_);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), std::string(kBytes, 'x'));
}

TEST_F(ReplayTargetTest, ATargetThatIsTooShort) {
  ExpectUnfit(ReplayTarget::Open(path_, kBytes + 1).status(),
              "the trace needs 262145 bytes, and it has 262144; name a larger");
}

TEST_F(ReplayTargetTest, ATargetWithAHole) {
  std::filesystem::resize_file(path_, 2 * kBytes);
  const absl::Status status = ReplayTarget::Open(path_, 2 * kBytes).status();
  if (status.ok()) GTEST_SKIP() << "this file system does not tell where holes are";
  ExpectUnfit(status, "it has a hole at byte 262144");
}

TEST_F(ReplayTargetTest, ADirectoryIsNoTarget) {
  ExpectUnfit(ReplayTarget::Open(directory_.paths()[0], 1).status(), "neither a file nor");
}

TEST_F(ReplayTargetTest, ATargetThatIsNotThere) {
  EXPECT_EQ(ReplayTarget::Open(path_ + "s", 1).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace fargraph
