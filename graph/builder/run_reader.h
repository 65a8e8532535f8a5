#ifndef FARGRAPH_GRAPH_BUILDER_RUN_READER_H_
#define FARGRAPH_GRAPH_BUILDER_RUN_READER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/files/file.h"
#include "common/status_macros.h"

namespace fargraph {

/// One ascending run of numbers in a file, read front to back through a buffer. What was read is
/// dropped from the page cache, what comes next is on its way into it. Used by one thread at a
/// time.
template <typename Word>
class RunReader {
 public:
  /// The run lies in [begin, end) of `file`, in bytes. The buffer holds at least one number.
  RunReader(const File& file, uint64_t begin, uint64_t end, size_t buffer_words)
      : file_(file), offset_(begin), end_(end), buffer_words_(buffer_words) {}

  /// Fills the buffer up where half of it or less is left.
  absl::Status Refill() {
    if (buffered().size() > buffer_words_ / 2 || offset_ == end_) return absl::OkStatus();
    buffer_.erase(buffer_.begin(), buffer_.begin() + position_);
    position_ = 0;
    const size_t left = buffer_.size();
    buffer_.resize(std::min<uint64_t>(buffer_words_, left + (end_ - offset_) / sizeof(Word)));
    const uint64_t bytes = (buffer_.size() - left) * sizeof(Word);
    FARGRAPH_RETURN_IF_ERROR(
        file_.ReadAt(offset_, {reinterpret_cast<std::byte*>(buffer_.data() + left), bytes}));
    file_.DropCache(offset_, bytes);
    offset_ += bytes;
    PrefetchNext();
    return absl::OkStatus();
  }

  /// What comes next, as far as it is in the buffer; it stays there until Refill. After Refill, it
  /// is empty at the end of the run alone.
  absl::Span<const Word> buffered() const {
    return absl::MakeConstSpan(buffer_).subspan(position_);
  }
  /// True if that is all that is left of the run.
  bool all_buffered() const { return offset_ == end_; }

  /// Passes the next `words` numbers of buffered().
  void Skip(size_t words) { position_ += words; }

 private:
  // A whole buffer, as much as the next Refill may want: were a little missing, the kernel would
  // read it with more around it.
  void PrefetchNext() const {
    const uint64_t bytes = std::min<uint64_t>(buffer_words_ * sizeof(Word), end_ - offset_);
    if (bytes > 0) file_.Prefetch(offset_, bytes);
  }

  const File& file_;
  uint64_t offset_;  // in bytes, of what is not in the buffer yet
  uint64_t end_;
  size_t buffer_words_;
  std::vector<Word> buffer_;
  size_t position_ = 0;  // of what comes next
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_BUILDER_RUN_READER_H_
