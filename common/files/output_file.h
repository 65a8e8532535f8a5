#ifndef FARGRAPH_COMMON_FILES_OUTPUT_FILE_H_
#define FARGRAPH_COMMON_FILES_OUTPUT_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fargraph {

/// A file in the making. It is written beside its path and takes the name, in one step and in place
/// of any older file, when it is complete; destroyed before, it leaves nothing behind. Standard
/// output and whatever exists and is no regular file (a pipe, /dev/null) is written directly.
/// Movable; used by one thread.
class OutputFile {
 public:
  /// NotFound when the path cannot be written to.
  static absl::StatusOr<OutputFile> Create(const std::string& path);

  /// True of "-", and of a path that leads where standard output does, such as /dev/stdout.
  static bool IsStandardOutput(const std::string& path);

  /// True if what is written to one path would take the place of, or mix with, what is written to
  /// the other. Devices such as /dev/null take both.
  static bool AreSamePlace(const std::string& path, const std::string& other);

  /// Whether Create would work now, so that a long job does not find out at its end.
  static absl::Status Check(const std::string& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  /// Not buffered: hand over large pieces. ResourceExhausted when the disk is full.
  absl::Status Write(absl::string_view bytes);

  /// Makes what was written durable and gives it its name. The last call.
  absl::Status Commit();

 private:
  OutputFile(int fd, std::string path, std::string temporary)
      : fd_(fd), path_(std::move(path)), temporary_(std::move(temporary)) {}

  int fd_ = -1;
  std::string path_;
  std::string temporary_;  ///< empty where the path is written directly, and after Commit
};

/// Writes `text` as the whole of the file at `path`, as OutputFile does.
absl::Status WriteWholeFile(const std::string& path, absl::string_view text);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_FILES_OUTPUT_FILE_H_
