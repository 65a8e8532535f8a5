#include "common/files/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/files/file.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

namespace fs = std::filesystem;

constexpr char kStandardOutput[] = "-";

/// The file that `path` leads to: a symbolic link stays one, and what it points to is written.
std::string Resolve(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

/// Does the path lead to the file or pipe that this process has open as `fd`? Of a device it makes
/// no difference.
bool LeadsTo(const std::string& path, int fd) {
  struct stat there {
  }, open{};
  return stat(path.c_str(), &there) == 0 && fstat(fd, &open) == 0 && !S_ISCHR(open.st_mode) &&
         there.st_dev == open.st_dev && there.st_ino == open.st_ino;
}

bool IsWrittenDirectly(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

}  // namespace

absl::StatusOr<OutputFile> OutputFile::Create(const std::string& path) {
  if (IsStandardOutput(path)) return OutputFile(STDOUT_FILENO, "standard output", "");
  if (LeadsTo(path, STDERR_FILENO)) return OutputFile(STDERR_FILENO, path, "");
  const std::string target = Resolve(path);
  if (IsWrittenDirectly(target)) {
    const int fd = open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return FileError(errno, "Writing", path);
    return OutputFile(fd, path, "");
  }
  std::string temporary = absl::StrFormat("%s.partial-%08x", target, std::random_device{}());
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return FileError(errno, "Writing", path);
  return OutputFile(fd, target, std::move(temporary));
}

bool OutputFile::IsStandardOutput(const std::string& path) {
  return path == kStandardOutput || path == "/dev/stdout" || LeadsTo(path, STDOUT_FILENO);
}

bool OutputFile::AreSamePlace(const std::string& path, const std::string& other) {
  if (IsStandardOutput(path) || IsStandardOutput(other))
    return IsStandardOutput(path) && IsStandardOutput(other);
  std::error_code error;  // a path that leads nowhere is the same as no other one
  const fs::path place = fs::weakly_canonical(fs::absolute(path), error);
  if (error || place != fs::weakly_canonical(fs::absolute(other), error)) return false;
  return !fs::is_character_file(place, error);
}

absl::Status OutputFile::Check(const std::string& path) {
  if (IsStandardOutput(path) || IsWrittenDirectly(path)) {
    // Opening a pipe only to close it would end its reader.
    if (!fs::is_directory(path)) return absl::OkStatus();
  }
  return Create(path).status();
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(temporary_, other.temporary_);
  return *this;
}

OutputFile::~OutputFile() {
  if (fd_ > STDERR_FILENO) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

absl::Status OutputFile::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError(errno, "Writing", path_);
    bytes.remove_prefix(count);
  }
  return absl::OkStatus();
}

absl::Status OutputFile::Commit() {
  if (temporary_.empty()) return absl::OkStatus();
  if (fsync(fd_) != 0) return FileError(errno, "Writing", path_);
  if (rename(temporary_.c_str(), path_.c_str()) != 0) return FileError(errno, "Writing", path_);
  temporary_.clear();
  return absl::OkStatus();
}

absl::Status WriteWholeFile(const std::string& path, absl::string_view text) {
  FARGRAPH_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
  FARGRAPH_RETURN_IF_ERROR(file.Write(text));
  return file.Commit();
}

}  // namespace fargraph
