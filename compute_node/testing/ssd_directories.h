#ifndef FARGRAPH_COMPUTE_NODE_TESTING_SSD_DIRECTORIES_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_SSD_DIRECTORIES_H_

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compute_node/tiers/direct_file.h"
#include "gtest/gtest.h"

namespace fargraph {

/// Directories that stand for SSDs; removed when it is destroyed.
class SsdDirectories {
 public:
  explicit SsdDirectories(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      paths_.push_back(absl::StrCat(testing::TempDir(), "fargraph_ssd_", getpid(), "_", ++number_));
      std::filesystem::create_directory(paths_.back());
    }
  }
  ~SsdDirectories() {
    for (const std::string& path : paths_) std::filesystem::remove_all(path);
  }
  SsdDirectories(const SsdDirectories&) = delete;
  SsdDirectories& operator=(const SsdDirectories&) = delete;

  const std::vector<std::string>& paths() const { return paths_; }

 private:
  static inline std::atomic<int> number_ = 0;
  std::vector<std::string> paths_;
};

/// True if tests can have direct IO where they put their files.
inline bool TempDirHasDirectIo() { return DirectFile::CreateUnnamed(testing::TempDir(), 1).ok(); }

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_SSD_DIRECTORIES_H_
