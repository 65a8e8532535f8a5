#include "common/files/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/units.h"

namespace fargraph {
namespace {

template <typename Call>
auto RetryInterrupted(Call&& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Of an error of sync_file_range: the kernel or the file does not know it, and nothing was tried.
bool CannotWaitForRange(int error_number) {
  return error_number == EINVAL || error_number == ESPIPE || error_number == ENOSYS;
}

}  // namespace

absl::Status FileError(int error_number, absl::string_view action, absl::string_view path) {
  const std::string message = absl::StrCat(action, " ", path, ": ", std::strerror(error_number));
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return absl::ResourceExhaustedError(
          absl::StrCat(message, "; free some space there or choose another place"));
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::NotFoundError(absl::StrCat(message, "; check the path and its permissions"));
    case EEXIST:
    case ENOTEMPTY:
      return absl::AlreadyExistsError(message);
    case EIO:
      return absl::DataLossError(absl::StrCat(message, "; check the device"));
    default:
      return absl::InternalError(message);
  }
}

absl::StatusOr<File> File::OpenForReading(const std::string& path) {
  const int fd = RetryInterrupted([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (fd < 0) return FileError(errno, "Opening", path);
  return File(fd, path);
}

absl::StatusOr<File> File::Create(const std::string& path) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  const int fd = RetryInterrupted([&] { return open(path.c_str(), kFlags, 0666); });
  if (fd < 0) return FileError(errno, "Creating", path);
  return File(fd, path);
}

File::File(File&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}

File::~File() {
  if (fd_ >= 0) close(fd_);
}

absl::StatusOr<uint64_t> File::Size() const {
  struct stat info {};
  if (fstat(fd_, &info) != 0) return FileError(errno, "Reading the size of", path_);
  return static_cast<uint64_t>(info.st_size);
}

absl::Status File::ReadAt(uint64_t offset, absl::Span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t count =
        RetryInterrupted([&] { return pread(fd_, out.data(), out.size(), offset); });
    if (count < 0) return FileError(errno, "Reading", path_);
    if (count == 0) {
      return absl::DataLossError(absl::StrCat("Reading ", path_, ": it ends at byte ", offset, ", ",
                                              out.size(), " bytes too early"));
    }
    out.remove_prefix(count);
    offset += count;
  }
  return absl::OkStatus();
}

absl::Status File::WriteAt(uint64_t offset, absl::Span<const std::byte> data) const {
  while (!data.empty()) {
    const ssize_t count =
        RetryInterrupted([&] { return pwrite(fd_, data.data(), data.size(), offset); });
    if (count < 0) return FileError(errno, "Writing", path_);
    data.remove_prefix(count);
    offset += count;
  }
  return absl::OkStatus();
}

absl::Status File::Sync() const {
  if (fsync(fd_) != 0) return FileError(errno, "Writing", path_);
  return absl::OkStatus();
}

void File::StartWriteback(uint64_t offset, uint64_t length) const {
  sync_file_range(fd_, offset, length, SYNC_FILE_RANGE_WRITE);
}

absl::Status File::DropWritten(uint64_t offset, uint64_t length) const {
  constexpr unsigned kFlags =
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  const int result = RetryInterrupted([&] { return sync_file_range(fd_, offset, length, kFlags); });
  if (result != 0 && !CannotWaitForRange(errno)) return FileError(errno, "Writing", path_);
  DropCache(offset, length);
  return absl::OkStatus();
}

void File::DropCache(uint64_t offset, uint64_t length) const {
  posix_fadvise(fd_, offset, length, POSIX_FADV_DONTNEED);
}

void File::Prefetch(uint64_t offset, uint64_t length) const {
  posix_fadvise(fd_, offset, length, POSIX_FADV_WILLNEED);
}

absl::Status SyncDirectory(const std::string& path) {
  FARGRAPH_ASSIGN_OR_RETURN(const File directory, File::OpenForReading(path));
  return directory.Sync();
}

absl::StatusOr<std::string> ReadSmallFile(const std::string& path, uint64_t max_bytes) {
  FARGRAPH_ASSIGN_OR_RETURN(const File file, File::OpenForReading(path));
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t size, file.Size());
  if (size > max_bytes) {
    return absl::DataLossError(absl::StrCat("Reading ", path, ": it has ", FormatBytes(size),
                                            ", more than the expected ", FormatBytes(max_bytes)));
  }
  std::string content(size, '\0');
  FARGRAPH_RETURN_IF_ERROR(
      file.ReadAt(0, {reinterpret_cast<std::byte*>(content.data()), content.size()}));
  return content;
}

}  // namespace fargraph
