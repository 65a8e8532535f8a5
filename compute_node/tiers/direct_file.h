#ifndef FARGRAPH_COMPUTE_NODE_TIERS_DIRECT_FILE_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_DIRECT_FILE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "common/unique_fd.h"

namespace fargraph {

/// A file open for direct IO (O_DIRECT): what is read or written does not pass through the page
/// cache. Owns its descriptor; movable; any thread may use it.
///
/// Errors of opening: NotFound for what is not there or not accessible, ResourceExhausted for a
/// full disk, FailedPrecondition where the file system has no direct IO.
class DirectFile {
 public:
  static absl::StatusOr<DirectFile> OpenForReading(const std::string& path);

  /// A new file of `bytes` in `directory`, whose room on the device is taken, for reading and
  /// writing. It has no name, and so is gone with this object, however the process ends.
  static absl::StatusOr<DirectFile> CreateUnnamed(const std::string& directory, uint64_t bytes);

  int descriptor() const { return fd_.get(); }
  /// For messages: the directory, if the file has no name.
  const std::string& path() const { return path_; }
  /// What offsets, lengths and memory addresses have to be multiples of: a power of two from 512.
  uint64_t block_bytes() const { return block_bytes_; }
  /// Blocks that the device itself reads and writes, as far as the kernel tells: a multiple of
  /// block_bytes(), at most a page.
  uint64_t physical_block_bytes() const { return physical_block_bytes_; }

 private:
  DirectFile(UniqueFd fd, std::string path, uint64_t block_bytes, uint64_t physical_block_bytes)
      : fd_(std::move(fd)),
        path_(std::move(path)),
        block_bytes_(block_bytes),
        physical_block_bytes_(physical_block_bytes) {}
  static absl::StatusOr<DirectFile> Make(UniqueFd fd, std::string path);

  UniqueFd fd_;
  std::string path_;
  uint64_t block_bytes_;
  uint64_t physical_block_bytes_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_DIRECT_FILE_H_
