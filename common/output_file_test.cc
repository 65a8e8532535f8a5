#include "common/output_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OutputFileTest : public ::testing::Test {
 protected:
  OutputFileTest()
      : directory_(::testing::TempDir() + "fargraph_output_file_" +
                   ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(directory_);
    fs::create_directories(directory_);
  }
  ~OutputFileTest() override { fs::remove_all(directory_); }

  std::string Path(const std::string& name) const { return directory_ + "/" + name; }

  std::string Read(const std::string& name) const {
    std::ostringstream content;
    content << std::ifstream(Path(name), std::ios::binary).rdbuf();
    return std::move(content).str();
  }

  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

 private:
  std::string directory_;
};

TEST_F(OutputFileTest, TakesItsNameWhenItIsComplete) {
  ASSERT_TRUE(WriteWholeFile(Path("file"), "old").ok());
  {
    auto file = OutputFile::Create(Path("file"));
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE(file->Write("new").ok());
    EXPECT_EQ(Read("file"), "old");
  }
  EXPECT_THAT(Files(), ElementsAre("file")) << "one that was given up leaves nothing";
  EXPECT_EQ(Read("file"), "old");
}

TEST_F(OutputFileTest, AnOldFileIsReplacedThroughASymbolicLink) {
  ASSERT_TRUE(WriteWholeFile(Path("file"), "old").ok());
  fs::create_symlink("file", Path("link"));
  ASSERT_TRUE(WriteWholeFile(Path("link"), "new").ok());
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(Read("file"), "new");
}

TEST_F(OutputFileTest, ADeviceIsWrittenAndNotReplaced) {
  ASSERT_TRUE(OutputFile::Check("/dev/null").ok());
  ASSERT_TRUE(WriteWholeFile("/dev/null", "text").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(WriteWholeFile("/dev/full", "text").code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(OutputFileTest, TwoPathsToOneFileAreTheSamePlace) {
  ASSERT_TRUE(WriteWholeFile(Path("file"), "old").ok());
  fs::create_symlink("file", Path("link"));
  EXPECT_TRUE(OutputFile::AreSamePlace(Path("file"), Path("link")));
  EXPECT_TRUE(OutputFile::AreSamePlace("new", "./new"));
  EXPECT_TRUE(OutputFile::AreSamePlace("new", fs::current_path() / "new"));
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(OutputFile::AreSamePlace(Path("pipe"), Path("pipe")));
  EXPECT_TRUE(OutputFile::AreSamePlace("-", "/dev/stdout"));
  EXPECT_FALSE(OutputFile::AreSamePlace(Path("file"), Path("other")));
  EXPECT_FALSE(OutputFile::AreSamePlace("-", Path("-")));
  EXPECT_FALSE(OutputFile::AreSamePlace("/dev/null", "/dev/null")) << "which takes both";
}

TEST_F(OutputFileTest, ChecksAPathWithoutTouchingIt) {
  EXPECT_TRUE(OutputFile::Check(Path("out")).ok());
  EXPECT_THAT(Files(), IsEmpty());
  EXPECT_EQ(OutputFile::Check(Path("no/such/out")).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(OutputFile::Check(Path("")).code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace fargraph
