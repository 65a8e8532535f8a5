#include "graph/format/move_directory.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "common/files/test_directory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

namespace fs = std::filesystem;
using ::testing::UnorderedElementsAre;

class MoveDirectoryTest : public ::testing::Test {
 protected:
  // A directory that holds a file of its own name.
  std::string Make(const std::string& name) const {
    fs::create_directory(directory_.Path(name));
    std::ofstream(directory_.Path(name) + "/" + name) << name;
    return directory_.Path(name);
  }

  // All files, by their paths in the test's directory.
  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(directory_.path())) {
      if (!entry.is_directory()) {
        files.push_back(fs::relative(entry.path(), directory_.path()).string());
      }
    }
    return files;
  }

  const TestDirectory directory_;
};

TEST_F(MoveDirectoryTest, MovesToAFreeNameOnly) {
  const std::string a = Make("a"), b = Make("b");
  EXPECT_EQ(MoveDirectory(a, b), -1);
  EXPECT_THAT(Files(), UnorderedElementsAre("a/a", "b/b"));
  EXPECT_EQ(MoveDirectory(a, directory_.Path("c")), 0);
  EXPECT_THAT(Files(), UnorderedElementsAre("c/a", "b/b"));
}

TEST_F(MoveDirectoryTest, ExchangesInOneStepOrInSeveral) {
  const std::string a = Make("a"), b = Make("b");
  EXPECT_EQ(ExchangeDirectories(a, b), 0);
  EXPECT_THAT(Files(), UnorderedElementsAre("a/b", "b/a"));
  EXPECT_EQ(ExchangeDirectoriesInSteps(a, b), 0);
  EXPECT_THAT(Files(), UnorderedElementsAre("a/a", "b/b"));
}

TEST_F(MoveDirectoryTest, WhatCannotBeExchangedStaysWhereItIs) {
  const std::string a = Make("a"), missing = directory_.Path("missing");
  for (const auto exchange : {ExchangeDirectories, ExchangeDirectoriesInSteps}) {
    EXPECT_EQ(exchange(missing, a), -1);
    EXPECT_EQ(errno, ENOENT);
    EXPECT_THAT(Files(), UnorderedElementsAre("a/a"));
    EXPECT_EQ(exchange(a, missing), -1);
    EXPECT_THAT(Files(), UnorderedElementsAre("a/a"));
  }
}

}  // namespace
}  // namespace fargraph
