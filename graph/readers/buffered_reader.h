#ifndef FARGRAPH_GRAPH_READERS_BUFFERED_READER_H_
#define FARGRAPH_GRAPH_READERS_BUFFERED_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// A window onto a stream: the bytes that have been read and not yet consumed. Movable; one thread.
class BufferedReader {
 public:
  /// Starts at byte `offset` of the input.
  static absl::StatusOr<BufferedReader> Open(const InputFile& input, uint64_t offset = 0);

  /// Valid until the next Fill.
  absl::string_view available() const { return {buffer_.data() + begin_, end_ - begin_}; }

  void Consume(size_t bytes) { begin_ += bytes; }

  /// Consumes what the input goes on with if that is `prefix`.
  absl::Status ConsumePrefix(absl::string_view prefix);

  /// Offset in the input of the first available byte.
  uint64_t offset() const { return end_offset_ - (end_ - begin_); }

  /// Reads more bytes behind the available ones, of which it makes room for as many as there are;
  /// false at the end of the input. An error is that of all further calls, too.
  absl::StatusOr<bool> Fill();

  /// Fills until at least `bytes` are available; false if the input ends before that.
  absl::StatusOr<bool> FillTo(size_t bytes);

 private:
  BufferedReader(std::unique_ptr<ByteStream> stream, size_t block_bytes, uint64_t offset);

  std::unique_ptr<ByteStream> stream_;
  absl::Status stream_status_;
  std::vector<char> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t end_offset_;  // in the input, of the byte behind the buffered ones
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_BUFFERED_READER_H_
