#ifndef FARGRAPH_GRAPH_FORMAT_ARRAY_WRITER_H_
#define FARGRAPH_GRAPH_FORMAT_ARRAY_WRITER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/files/file.h"
#include "graph/format/array_format.h"
#include "graph/format/write_behind_file.h"

namespace fargraph {

/// Writes one array file front to back in 1 MiB blocks. Used by one thread. The file is no array
/// file until Finish.
class ArrayWriter {
 public:
  /// Creates `path`, which must not be there.
  static absl::StatusOr<ArrayWriter> Create(const std::string& path, ElementType type);

  /// Appends one element of the array's type.
  template <typename Element>
  absl::Status Append(Element element) {
    return AppendBytes({reinterpret_cast<const std::byte*>(&element), sizeof(element)});
  }

  /// Appends whole elements.
  absl::Status AppendBytes(absl::Span<const std::byte> bytes) {
    if (bytes.size() > kArrayBlockBytes - buffered_) return AppendAcrossBlocks(bytes);
    std::copy(bytes.begin(), bytes.end(), buffer_.get() + buffered_);
    buffered_ += bytes.size();
    return absl::OkStatus();
  }

  /// Writes what is buffered, the checksums and the header, and returns the header once all is on
  /// the device. The last call.
  absl::StatusOr<ArrayHeader> Finish();

 private:
  ArrayWriter(File file, ElementType type);
  absl::Status AppendAcrossBlocks(absl::Span<const std::byte> bytes);
  absl::Status FlushBlock();

  WriteBehindFile file_;
  ElementType type_;
  std::unique_ptr<std::byte[]> buffer_;  // of one block, which a short array fills in part
  size_t buffered_ = 0;
  uint64_t data_bytes_ = 0;  // flushed
  std::vector<uint64_t> checksums_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_FORMAT_ARRAY_WRITER_H_
