#include "compute_node/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/file.h"
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

bool IsWrittenDirectly(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

}  // namespace

absl::StatusOr<OutputFile> OutputFile::Create(const std::string& path) {
  if (path == kStandardOutput) return OutputFile(STDOUT_FILENO, "standard output", "");
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

absl::Status OutputFile::Check(const std::string& path) {
  if (path == kStandardOutput || IsWrittenDirectly(path)) {
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
