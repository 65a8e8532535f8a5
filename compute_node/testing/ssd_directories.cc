#include "compute_node/testing/ssd_directories.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "compute_node/tiers/direct_file.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

std::string NewPath() {
  static std::atomic<int> count = 0;
  return absl::StrCat(testing::TempDir(), "fargraph_ssd_", getpid(), "_", ++count);
}

}  // namespace

SsdDirectories::SsdDirectories(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    paths_.push_back(NewPath());
    std::filesystem::create_directory(paths_.back());
  }
}

SsdDirectories::~SsdDirectories() {
  for (const std::string& path : paths_) std::filesystem::remove_all(path);
}

bool TempDirHasDirectIo() { return DirectFile::CreateUnnamed(testing::TempDir(), 1).ok(); }

}  // namespace fargraph
