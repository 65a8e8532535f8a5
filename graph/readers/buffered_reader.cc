#include "graph/readers/buffered_reader.h"

#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/types/span.h"
#include "common/status_macros.h"

namespace fargraph {

absl::StatusOr<BufferedReader> BufferedReader::Open(const InputFile& input, uint64_t offset) {
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<ByteStream> stream, input.Open(offset));
  return BufferedReader(std::move(stream), input.block_bytes(), offset);
}

BufferedReader::BufferedReader(std::unique_ptr<ByteStream> stream, size_t block_bytes,
                               uint64_t offset)
    : stream_(std::move(stream)), buffer_(block_bytes), end_offset_(offset) {}

absl::StatusOr<bool> BufferedReader::Fill() {
  FARGRAPH_RETURN_IF_ERROR(stream_status_);
  if (begin_ != 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const absl::StatusOr<size_t> bytes =
      stream_->Read(absl::MakeSpan(buffer_.data() + end_, buffer_.size() - end_));
  if (!bytes.ok()) return stream_status_ = bytes.status();
  end_ += *bytes;
  end_offset_ += *bytes;
  return *bytes != 0;
}

absl::StatusOr<bool> BufferedReader::FillTo(size_t bytes) {
  while (available().size() < bytes) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, Fill());
    if (!more) return false;
  }
  return true;
}

absl::Status BufferedReader::ConsumePrefix(absl::string_view prefix) {
  FARGRAPH_RETURN_IF_ERROR(FillTo(prefix.size()).status());
  if (absl::StartsWith(available(), prefix)) Consume(prefix.size());
  return absl::OkStatus();
}

}  // namespace fargraph
