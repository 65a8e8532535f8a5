#include "memory_node/options.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "common/units.h"
#include "gflags/gflags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using transport::Kind;

class CommandLineTest : public ::testing::Test {
 protected:
  static std::string Error(std::vector<const char*> arguments) {
    const auto command = ParseCommandLine(arguments);
    EXPECT_EQ(command.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(command.status().message());
  }

 private:
  gflags::FlagSaver saver_;
};

TEST_F(CommandLineTest, FillsTheOptions) {
  const auto command = ParseCommandLine(std::vector<const char*>{
      "--listen=10.0.0.7:7800", "--capacity=8GiB", "--transports=tcp,shm", "--lease_seconds=30"});
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_EQ(command->node.listen, "10.0.0.7:7800");
  EXPECT_EQ(command->node.capacity_bytes, 8 * kGiB);
  EXPECT_THAT(command->node.transports, ElementsAre(Kind::kTcp, Kind::kShm));
  EXPECT_EQ(command->node.lease_duration, absl::Seconds(30));
  EXPECT_THAT(command->node.token, IsEmpty());
  EXPECT_FALSE(command->verbose);
}

TEST_F(CommandLineTest, WithoutTransportsAllAreServed) {
  const auto command =
      ParseCommandLine(std::vector<const char*>{"--listen=127.0.0.1:0", "--capacity=1MiB"});
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_THAT(command->node.transports, IsEmpty());
}

TEST_F(CommandLineTest, ReadsTheTokenFile) {
  const std::string path = absl::StrCat(::testing::TempDir(), "options_token_", getpid());
  std::ofstream(path) << "s3cret\n";
  chmod(path.c_str(), 0600);
  const std::string flag = absl::StrCat("--token_file=", path);
  const auto command = ParseCommandLine(
      std::vector<const char*>{"--listen=127.0.0.1:0", "--capacity=1MiB", flag.c_str()});
  std::filesystem::remove(path);
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_EQ(command->node.token, "s3cret");
}

TEST_F(CommandLineTest, HelpNeedsNothingElse) {
  const auto command = ParseCommandLine(std::vector<const char*>{"--help"});
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_TRUE(command->help);
  EXPECT_THAT(HelpText(), HasSubstr("--capacity=VALUE"));
}

TEST_F(CommandLineTest, MistakesAreOneSentence) {
  EXPECT_THAT(Error({"--capacity=1MiB"}), HasSubstr("--listen=127.0.0.1:7800"));
  EXPECT_THAT(Error({"--listen=127.0.0.1:0", "--capacity="}), HasSubstr("--capacity=8GiB"));
  EXPECT_THAT(Error({"--listen=127.0.0.1:0", "--capacity=8GB"}), HasSubstr("--capacity: '8GB'"));
  EXPECT_THAT(Error({"--listen=127.0.0.1:0", "--capacity=1MiB", "--transports=tcp,ib"}),
              HasSubstr("--transports: \"ib\""));
  EXPECT_THAT(Error({"--listen=127.0.0.1:0", "--capacity=1MiB", "--transports=", "8GiB"}),
              HasSubstr("'8GiB' is not expected"));
  EXPECT_THAT(Error({"--listen=127.0.0.1:0", "--capacity=1MiB", "--lease_seconds=0"}),
              HasSubstr("--lease_seconds cannot be 0"));
}

}  // namespace
}  // namespace fargraph
