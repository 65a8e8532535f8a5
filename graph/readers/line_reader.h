#ifndef FARGRAPH_GRAPH_READERS_LINE_READER_H_
#define FARGRAPH_GRAPH_READERS_LINE_READER_H_

#include <cstdint>
#include <cstring>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/readers/buffered_reader.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// The lines of a text, one after the other. A byte order mark at the beginning is no part of the
/// first. Movable; one thread.
class LineReader {
 public:
  static absl::StatusOr<LineReader> Open(std::shared_ptr<const InputFile> input);

  /// The next line, without its line feed (a carriage return counts as a blank); valid until the
  /// next call. False at the end of the file. Of a comment too long to be buffered nothing but its
  /// beginning is left.
  absl::StatusOr<bool> Next(absl::string_view& line);

  /// The next line that holds more than blanks and a comment.
  absl::StatusOr<bool> NextData(absl::string_view& line);

  /// Of the line that was returned last, from 1.
  uint64_t line_number() const { return line_number_; }

 private:
  LineReader(std::shared_ptr<const InputFile> input, BufferedReader reader)
      : input_(std::move(input)), reader_(std::move(reader)) {}

  /// Next, of a line that does not end within the available bytes.
  absl::StatusOr<bool> NextAcrossBlocks(absl::string_view& line);
  /// Consumes up to the line feed or the end of the file.
  absl::Status SkipLine();

  std::shared_ptr<const InputFile> input_;
  BufferedReader reader_;
  uint64_t line_number_ = 0;
};

inline absl::StatusOr<bool> LineReader::Next(absl::string_view& line) {
  const absl::string_view bytes = reader_.available();
  const void* end = bytes.empty() ? nullptr : std::memchr(bytes.data(), '\n', bytes.size());
  if (end == nullptr) return NextAcrossBlocks(line);
  line = bytes.substr(0, static_cast<size_t>(static_cast<const char*>(end) - bytes.data()));
  reader_.Consume(line.size() + 1);
  ++line_number_;
  return true;
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_LINE_READER_H_
