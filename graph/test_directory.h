#ifndef FARGRAPH_GRAPH_TEST_DIRECTORY_H_
#define FARGRAPH_GRAPH_TEST_DIRECTORY_H_

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace fargraph {

/// A directory of the running test alone, removed with all it holds at the end.
class TestDirectory {
 public:
  TestDirectory() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = absl::StrCat(::testing::TempDir(), "fargraph_", test->test_suite_name(), "_",
                         test->name(), "_", getpid());
    std::replace(path_.begin() + ::testing::TempDir().size(), path_.end(), '/', '_');
    std::filesystem::create_directories(path_);
  }
  ~TestDirectory() { std::filesystem::remove_all(path_); }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_TEST_DIRECTORY_H_
