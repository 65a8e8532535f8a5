#ifndef FARGRAPH_COMMON_FILES_TEST_DIRECTORY_H_
#define FARGRAPH_COMMON_FILES_TEST_DIRECTORY_H_

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace fargraph {

/// A directory of this process for tests, removed with all it holds at the end.
class TestDirectory {
 public:
  /// Of the running test alone.
  TestDirectory() : TestDirectory(NameOfRunningTest()) {}
  explicit TestDirectory(std::string name) {
    std::replace(name.begin(), name.end(), '/', '_');
    path_ = absl::StrCat(::testing::TempDir(), "fargraph_", name, "_", getpid());
    std::filesystem::create_directories(path_);
  }
  ~TestDirectory() { std::filesystem::remove_all(path_); }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

  /// Of what lies in it, in any order.
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      names.push_back(entry.path().filename().string());
    return names;
  }

  /// The content of a file, empty if there is none.
  std::string Read(const std::string& name) const {
    std::ostringstream content;
    content << std::ifstream(Path(name), std::ios::binary).rdbuf();
    return std::move(content).str();
  }

 private:
  static std::string NameOfRunningTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    return absl::StrCat(test->test_suite_name(), "_", test->name());
  }

  std::string path_;
};

/// Damages a file.
inline void FlipBit(const std::string& path, uint64_t byte, int bit = 0) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(byte));
  const char flipped = static_cast<char>(file.get() ^ (1 << bit));
  file.seekp(static_cast<std::streamoff>(byte));
  file.put(flipped);
}

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_FILES_TEST_DIRECTORY_H_
