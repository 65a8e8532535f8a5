#include "common/files/output_file.h"

#include <sys/stat.h>

#include <filesystem>

#include "common/files/test_directory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OutputFileTest : public ::testing::Test {
 protected:
  const TestDirectory directory_;
};

TEST_F(OutputFileTest, TakesItsNameWhenItIsComplete) {
  ASSERT_TRUE(WriteWholeFile(directory_.Path("file"), "old").ok());
  {
    auto file = OutputFile::Create(directory_.Path("file"));
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE(file->Write("new").ok());
    EXPECT_EQ(directory_.Read("file"), "old");
  }
  EXPECT_THAT(directory_.Names(), ElementsAre("file")) << "one that was given up leaves nothing";
  EXPECT_EQ(directory_.Read("file"), "old");
}

TEST_F(OutputFileTest, AnOldFileIsReplacedThroughASymbolicLink) {
  ASSERT_TRUE(WriteWholeFile(directory_.Path("file"), "old").ok());
  fs::create_symlink("file", directory_.Path("link"));
  ASSERT_TRUE(WriteWholeFile(directory_.Path("link"), "new").ok());
  EXPECT_TRUE(fs::is_symlink(directory_.Path("link")));
  EXPECT_EQ(directory_.Read("file"), "new");
}

TEST_F(OutputFileTest, ADeviceIsWrittenAndNotReplaced) {
  ASSERT_TRUE(OutputFile::Check("/dev/null").ok());
  ASSERT_TRUE(WriteWholeFile("/dev/null", "text").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(WriteWholeFile("/dev/full", "text").code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(OutputFileTest, TwoPathsToOneFileAreTheSamePlace) {
  ASSERT_TRUE(WriteWholeFile(directory_.Path("file"), "old").ok());
  fs::create_symlink("file", directory_.Path("link"));
  EXPECT_TRUE(OutputFile::AreSamePlace(directory_.Path("file"), directory_.Path("link")));
  EXPECT_TRUE(OutputFile::AreSamePlace("new", "./new"));
  EXPECT_TRUE(OutputFile::AreSamePlace("new", fs::current_path() / "new"));
  ASSERT_EQ(mkfifo(directory_.Path("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(OutputFile::AreSamePlace(directory_.Path("pipe"), directory_.Path("pipe")));
  EXPECT_TRUE(OutputFile::AreSamePlace("-", "/dev/stdout"));
  EXPECT_FALSE(OutputFile::AreSamePlace(directory_.Path("file"), directory_.Path("other")));
  EXPECT_FALSE(OutputFile::AreSamePlace("-", directory_.Path("-")));
  EXPECT_FALSE(OutputFile::AreSamePlace("/dev/null", "/dev/null")) << "which takes both";
}

TEST_F(OutputFileTest, ChecksAPathWithoutTouchingIt) {
  EXPECT_TRUE(OutputFile::Check(directory_.Path("out")).ok());
  EXPECT_THAT(directory_.Names(), IsEmpty());
  EXPECT_EQ(OutputFile::Check(directory_.Path("no/such/out")).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(OutputFile::Check(directory_.Path("")).code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace fargraph
