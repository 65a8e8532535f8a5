#include "compute_node/tiers/direct_file.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/stat.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "common/files/file.h"
#include "common/host/block_device.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

constexpr uint64_t kLeastBlockBytes = 512;
/// Where the kernel does not tell: no device in use has larger blocks.
constexpr uint64_t kUsualBlockBytes = 4096;

absl::Status NoDirectIo(const std::string& path) {
  return absl::FailedPreconditionError(
      absl::StrCat("Opening ", path,
                   " for direct IO: its file system has none; choose a directory on an SSD, with "
                   "a file system such as ext4 or xfs"));
}

absl::Status OpenError(const std::string& path) {
  return errno == EINVAL ? NoDirectIo(path) : FileError(errno, "Opening", path);
}

uint64_t SectorBytes(int device) {
  int bytes = 0;
  if (ioctl(device, BLKSSZGET, &bytes) != 0) return kUsualBlockBytes;
  return std::max<uint64_t>(kLeastBlockBytes, bytes);
}

/// 0 where files lie in memory, not on a device. The node of a device does, too.
uint64_t BlockBytes(int fd) {
  struct statx info {};
  const bool told = syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &info) == 0 &&
                    (info.stx_mask & STATX_DIOALIGN) != 0;
  if (told && info.stx_dio_offset_align == 0) return 0;
  if (told) {
    return std::max<uint64_t>(
        {kLeastBlockBytes, info.stx_dio_offset_align, info.stx_dio_mem_align});
  }
  struct stat file {};
  if (fstat(fd, &file) == 0 && S_ISBLK(file.st_mode)) return SectorBytes(fd);
  struct statfs file_system {};
  const bool in_memory = fstatfs(fd, &file_system) == 0 &&
                         (file_system.f_type == TMPFS_MAGIC || file_system.f_type == RAMFS_MAGIC);
  return in_memory ? 0 : kUsualBlockBytes;
}

uint64_t PhysicalBlockBytes(int fd, uint64_t block_bytes) {
  struct stat info {};
  if (fstat(fd, &info) != 0) return block_bytes;
  const std::string device = BlockDeviceDirectory(info.st_dev);
  const int64_t told = BlockQueueSetting(device, "physical_block_size").value_or(0);
  const uint64_t bytes = std::min<uint64_t>(told, kUsualBlockBytes);
  return std::has_single_bit(bytes) ? std::max(bytes, block_bytes) : block_bytes;
}

/// A file system that knows no unnamed files gets one that loses its name at once, even if it then
/// turns out to have no direct IO.
UniqueFd OpenUnnamed(const std::string& directory) {
  constexpr int kFlags = O_RDWR | O_DIRECT | O_CLOEXEC;
  UniqueFd fd(open(directory.c_str(), kFlags | O_TMPFILE, 0600));
  if (fd.valid() || errno != EOPNOTSUPP) return fd;
  std::string path = absl::StrCat(directory, "/fargraph.XXXXXX");
  fd = UniqueFd(mkostemp(path.data(), O_DIRECT | O_CLOEXEC));
  const int error = errno;
  unlink(path.c_str());
  errno = error;
  return fd;
}

}  // namespace

absl::StatusOr<DirectFile> DirectFile::OpenForReading(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
  if (!fd.valid()) return OpenError(path);
  return Make(std::move(fd), path);
}

absl::StatusOr<DirectFile> DirectFile::CreateUnnamed(const std::string& directory, uint64_t bytes) {
  UniqueFd fd = OpenUnnamed(directory);
  if (!fd.valid()) return OpenError(directory);
  FARGRAPH_ASSIGN_OR_RETURN(DirectFile file, Make(std::move(fd), directory));
  int result = fallocate(file.descriptor(), 0, 0, static_cast<off_t>(bytes));
  if (result != 0 && errno == EOPNOTSUPP) {
    result = ftruncate(file.descriptor(), static_cast<off_t>(bytes));
  }
  if (result != 0) return FileError(errno, absl::StrCat("Taking ", bytes, " bytes in"), directory);
  return file;
}

absl::StatusOr<DirectFile> DirectFile::Make(UniqueFd fd, std::string path) {
  const uint64_t block_bytes = BlockBytes(fd.get());
  if (block_bytes == 0) return NoDirectIo(path);
  const uint64_t physical = PhysicalBlockBytes(fd.get(), block_bytes);
  return DirectFile(std::move(fd), std::move(path), block_bytes, physical);
}

}  // namespace fargraph
