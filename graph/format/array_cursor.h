#ifndef FARGRAPH_GRAPH_FORMAT_ARRAY_CURSOR_H_
#define FARGRAPH_GRAPH_FORMAT_ARRAY_CURSOR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "common/status_macros.h"
#include "graph/format/array_format.h"
#include "graph/graph_files.h"

namespace fargraph {

/// Reads an array front to back through a buffer of one checksum block. Used by one thread; the
/// array outlives it.
template <typename Element>
class ArrayCursor {
 public:
  /// Element has the width of the array's elements.
  explicit ArrayCursor(const ArrayFile& array) : array_(&array) {}

  const ArrayFile& array() const { return *array_; }
  /// Elements that are left.
  uint64_t remaining() const { return array_->elements() - position_; }

  /// Reads the next element, which there has to be. Errors of ArrayFile::Read.
  absl::Status Next(Element& element) {
    const size_t within = position_ % kBlockElements;
    if (within == 0) FARGRAPH_RETURN_IF_ERROR(Fill());
    element = buffer_[within];
    ++position_;
    return absl::OkStatus();
  }

 private:
  static constexpr size_t kBlockElements = kArrayBlockBytes / sizeof(Element);

  absl::Status Fill() {
    buffer_.resize(std::min<uint64_t>(kBlockElements, remaining()));
    return array_->Read(position_ * sizeof(Element), {reinterpret_cast<std::byte*>(buffer_.data()),
                                                      buffer_.size() * sizeof(Element)});
  }

  const ArrayFile* array_;
  uint64_t position_ = 0;
  std::vector<Element> buffer_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_FORMAT_ARRAY_CURSOR_H_
