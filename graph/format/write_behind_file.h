#ifndef FARGRAPH_GRAPH_FORMAT_WRITE_BEHIND_FILE_H_
#define FARGRAPH_GRAPH_FORMAT_WRITE_BEHIND_FILE_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/files/file.h"

namespace fargraph {

/// A file that is written front to back. It starts writing to the device at once and drops what is
/// there from the page cache, so that a stream of any length fits a small memory cgroup. Used by
/// one thread.
class WriteBehindFile {
 public:
  /// The first Append goes to `offset`.
  explicit WriteBehindFile(File file, uint64_t offset = 0)
      : file_(std::move(file)), end_(offset), dropped_(offset) {}

  const File& file() const { return file_; }
  /// Where the next Append goes.
  uint64_t end() const { return end_; }

  absl::Status Append(absl::Span<const std::byte> bytes);

 private:
  File file_;
  uint64_t end_;
  uint64_t dropped_;  // what lies before is on the device and out of the page cache
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_FORMAT_WRITE_BEHIND_FILE_H_
