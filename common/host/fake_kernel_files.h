#ifndef FARGRAPH_COMMON_HOST_FAKE_KERNEL_FILES_H_
#define FARGRAPH_COMMON_HOST_FAKE_KERNEL_FILES_H_

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace fargraph {

/// For tests: a host whose files of the kernel, in /sys, /proc and /dev, are in a folder of the
/// test's own.
class FakeKernelFiles : public testing::Test {
 protected:
  ~FakeKernelFiles() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  void Link(const std::string& path, const std::string& target) const {
    const std::filesystem::path link = root_ + path;
    std::filesystem::create_directories(link.parent_path());
    std::filesystem::create_directory_symlink(root_ + target, link);
  }

  const std::string root_ =
      absl::StrCat(testing::TempDir(), "/kernel_files_", getpid(), "_",
                   testing::UnitTest::GetInstance()->current_test_info()->name());
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_HOST_FAKE_KERNEL_FILES_H_
