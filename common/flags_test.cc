#include "common/flags.h"

#include "gflags/gflags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

DEFINE_string(flags_test_listen, "", "Where to listen");
DEFINE_int32(flags_test_count, 3, "How many");
DEFINE_double(flags_test_ratio, 0.5, "Which share");
DEFINE_bool(flags_test_keep, false, "Whether to keep it");
DEFINE_bool(flags_test_hidden, false, "A flag of somebody else");

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr absl::string_view kFlags[] = {"flags_test_listen", "flags_test_count", "flags_test_ratio",
                                        "flags_test_keep"};

class FlagsTest : public ::testing::Test {
 protected:
  static absl::StatusOr<std::vector<std::string>> Parse(const std::vector<const char*>& arguments) {
    return ParseFlags(arguments, kFlags);
  }
  static std::string Error(const std::vector<const char*>& arguments) {
    const auto result = ParseFlags(arguments, kFlags);
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(result.status().message());
  }

 private:
  gflags::FlagSaver saver_;
};

TEST_F(FlagsTest, EveryWayOfWritingAFlagIsRead) {
  const auto positional =
      Parse({"run", "--flags_test_listen=host:1=2", "-flags_test_count", "-7", "graph", "-",
             "--flags-test-ratio=0.25", "--flags_test_keep", "--", "--flags_test_count=1"});
  ASSERT_TRUE(positional.ok()) << positional.status();
  EXPECT_THAT(*positional, ElementsAre("run", "graph", "-", "--flags_test_count=1"));
  EXPECT_EQ(FLAGS_flags_test_listen, "host:1=2");
  EXPECT_EQ(FLAGS_flags_test_count, -7);
  EXPECT_EQ(FLAGS_flags_test_ratio, 0.25);
  EXPECT_TRUE(FLAGS_flags_test_keep);
}

TEST_F(FlagsTest, ABoolIsTurnedOffByNoAndByAValue) {
  FLAGS_flags_test_keep = true;
  ASSERT_TRUE(Parse({"--noflags_test_keep"}).ok());
  EXPECT_FALSE(FLAGS_flags_test_keep);
  FLAGS_flags_test_keep = true;
  ASSERT_TRUE(Parse({"--flags_test_keep=false"}).ok());
  EXPECT_FALSE(FLAGS_flags_test_keep);
}

TEST_F(FlagsTest, AnEmptyValueIsAValue) {
  FLAGS_flags_test_listen = "before";
  ASSERT_TRUE(Parse({"--flags_test_listen="}).ok());
  EXPECT_EQ(FLAGS_flags_test_listen, "");
}

TEST_F(FlagsTest, ErrorsAreOneSentenceThatNamesTheFlag) {
  EXPECT_EQ(Error({"--flags_test_unknown=1"}),
            "there is no flag '--flags_test_unknown=1'; see --help for those there are");
  EXPECT_EQ(Error({"--flags_test_count=many"}),
            "--flags_test_count cannot be 'many': it takes a whole number; see --help");
  EXPECT_EQ(Error({"--flags_test_keep=perhaps"}),
            "--flags_test_keep cannot be 'perhaps': it takes true or false; see --help");
  EXPECT_EQ(Error({"--flags_test_listen"}),
            "--flags_test_listen lacks its value; write --flags_test_listen=VALUE");
}

TEST_F(FlagsTest, FlagsOfOthersAreRefused) {
  EXPECT_THAT(Error({"--flags_test_hidden"}), HasSubstr("there is no flag"));
  EXPECT_THAT(Error({"--noflags_test_hidden"}), HasSubstr("there is no flag"));
  EXPECT_THAT(Error({"--noflags_test_count"}), HasSubstr("there is no flag"));
}

TEST_F(FlagsTest, TheHelpTextStatesMeaningAndDefault) {
  const std::string help = DescribeFlags(kFlags);
  EXPECT_THAT(help, HasSubstr("--flags_test_count=VALUE\n      How many (default: 3)\n"));
  EXPECT_THAT(help, HasSubstr("--flags_test_keep\n      Whether to keep it (default: off)\n"));
  EXPECT_THAT(help, HasSubstr("--flags_test_listen=VALUE\n      Where to listen\n"));
}

}  // namespace
}  // namespace fargraph
