#ifndef FARGRAPH_COMPUTE_NODE_TESTING_SSD_DIRECTORIES_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_SSD_DIRECTORIES_H_

#include <string>
#include <vector>

namespace fargraph {

/// Directories that stand for SSDs; removed when it is destroyed.
class SsdDirectories {
 public:
  explicit SsdDirectories(size_t count);
  ~SsdDirectories();
  SsdDirectories(const SsdDirectories&) = delete;
  SsdDirectories& operator=(const SsdDirectories&) = delete;

  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> paths_;
};

/// True if tests can have direct IO where they put their files.
bool TempDirHasDirectIo();

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_SSD_DIRECTORIES_H_
