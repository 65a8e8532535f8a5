#include "common/control/token.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

class TokenFile : public ::testing::Test {
 protected:
  std::string Write(absl::string_view contents, mode_t mode = 0600) {
    std::ofstream(path_) << contents;
    chmod(path_.c_str(), mode);
    return path_;
  }
  ~TokenFile() override { std::filesystem::remove(path_); }

 private:
  const std::string path_ =
      absl::StrCat(::testing::TempDir(), "token_", getpid(), "_",
                   ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(TokenFile, HoldsTheTokenWithoutItsLineEnd) {
  EXPECT_EQ(*ReadTokenFile(Write("s3cret\n")), "s3cret");
  EXPECT_EQ(*ReadTokenFile(Write("s3cret\r\n", 0640)), "s3cret");
  const std::string longest(4096, 'x');
  EXPECT_EQ(*ReadTokenFile(Write(longest + "\r\n")), longest);
}

TEST_F(TokenFile, WhatIsNotATokenIsRefused) {
  for (const std::string& contents :
       {std::string(), std::string("\n"), std::string("two words"), std::string("two\nlines"),
        std::string("\x7f"), std::string("caf\xc3\xa9"), std::string(4097, 'x'),
        std::string(9000, 'x')}) {
    const auto token = ReadTokenFile(Write(contents));
    EXPECT_EQ(token.status().code(), absl::StatusCode::kInvalidArgument) << contents;
  }
}

TEST_F(TokenFile, OpenToEverybodyIsRefusedWithTheRemedy) {
  for (const mode_t mode : {0644, 0602}) {
    const auto token = ReadTokenFile(Write("s3cret", mode));
    EXPECT_EQ(token.status().code(), absl::StatusCode::kPermissionDenied);
    EXPECT_THAT(token.status().message(), HasSubstr("chmod o="));
    EXPECT_THAT(token.status().message(), Not(HasSubstr("s3cret")));
  }
}

TEST_F(TokenFile, AbsentIsNotFound) {
  const auto token = ReadTokenFile("/nonexistent/token");
  EXPECT_EQ(token.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(token.status().message(), HasSubstr("/nonexistent/token"));
}

TEST(TokensEqual, ComparesEveryCharacter) {
  EXPECT_TRUE(TokensEqual("", ""));
  EXPECT_TRUE(TokensEqual("abc", "abc"));
  EXPECT_FALSE(TokensEqual("abc", "abd"));
  EXPECT_FALSE(TokensEqual("xbc", "abc"));
  EXPECT_FALSE(TokensEqual("abc", "ab"));
}

}  // namespace
}  // namespace fargraph
