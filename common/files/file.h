#ifndef FARGRAPH_COMMON_FILES_FILE_H_
#define FARGRAPH_COMMON_FILES_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace fargraph {

/// The error of a system call on a file: "ACTION PATH: REASON", plus what to do where that is
/// known. ResourceExhausted for a full disk or quota, NotFound for a file that is not there or not
/// accessible, AlreadyExists, DataLoss for an IO error of the device, Internal otherwise.
/// `action` is what was being done ("Reading").
absl::Status FileError(int error_number, absl::string_view action, absl::string_view path);

/// An open file, read and written at explicit offsets. Owns its descriptor; movable. Any thread may
/// call the const functions.
class File {
 public:
  static absl::StatusOr<File> OpenForReading(const std::string& path);
  /// Creates the file, readable too; AlreadyExists when it is there.
  static absl::StatusOr<File> Create(const std::string& path);

  File() = default;
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  const std::string& path() const { return path_; }
  absl::StatusOr<uint64_t> Size() const;

  /// Fills all of `out`; DataLoss when the file ends before.
  absl::Status ReadAt(uint64_t offset, absl::Span<std::byte> out) const;
  absl::Status WriteAt(uint64_t offset, absl::Span<const std::byte> data) const;
  /// Returns once the content is on the device.
  absl::Status Sync() const;

  /// Hints that keep a long stream from filling the page cache, which counts against a memory
  /// cgroup. They cannot fail, only be ignored. `length` 0 means up to the end.
  void StartWriteback(uint64_t offset, uint64_t length) const;
  /// Waits for the range to be on the device, then drops it from the page cache. An error of the
  /// device that it tells is not told by Sync again.
  absl::Status DropWritten(uint64_t offset, uint64_t length) const;
  void DropCache(uint64_t offset, uint64_t length) const;
  void Prefetch(uint64_t offset, uint64_t length) const;

 private:
  File(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_ = -1;
  std::string path_;
};

/// Makes the entries of the directory (files created, renamed, removed) durable.
absl::Status SyncDirectory(const std::string& path);

/// The content of a small file. DataLoss when it is larger than `max_bytes`.
absl::StatusOr<std::string> ReadSmallFile(const std::string& path, uint64_t max_bytes);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_FILES_FILE_H_
