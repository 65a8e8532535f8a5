#ifndef FARGRAPH_GRAPH_READERS_LINE_READER_H_
#define FARGRAPH_GRAPH_READERS_LINE_READER_H_

#include <cstdint>
#include <cstring>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "common/units.h"
#include "graph/readers/buffered_reader.h"
#include "graph/readers/input_file.h"
#include "graph/readers/text_lines.h"

namespace fargraph {

/// The lines of a text, one after the other. A byte order mark at the beginning is no part of the
/// first. Movable; one thread.
class LineReader {
 public:
  /// What a line that is no comment may have.
  static constexpr size_t kMaxLineBytes = kMiB;

  static absl::StatusOr<LineReader> Open(std::shared_ptr<const InputFile> input);

  /// The next line, without its line feed (a carriage return counts as a blank); valid until the
  /// next call. False at the end of the file. Of a comment of more than kMaxLineBytes nothing is
  /// left.
  absl::StatusOr<bool> Next(absl::string_view& line);

  /// The next line that holds more than blanks and a comment.
  absl::StatusOr<bool> NextData(absl::string_view& line);

  /// The lines behind the one that was returned last, whole and with their line feeds, `bytes`
  /// bytes of them or somewhat fewer; empty if the next one is longer, or ends in no line feed.
  /// They stay the next ones. Valid until the next call of anything but SkipLines.
  absl::string_view PeekLines(size_t bytes);

  /// Goes on behind these, which are the beginning of what PeekLines gave.
  void SkipLines(absl::Span<const LinePiece> lines);

  /// Of the line that was returned or skipped last, from 1.
  uint64_t line_number() const { return line_number_; }

 private:
  LineReader(std::shared_ptr<const InputFile> input, BufferedReader reader)
      : input_(std::move(input)), reader_(std::move(reader)) {}

  /// Next, of a line that does not end within the available bytes, or is too long.
  absl::StatusOr<bool> NextAcrossBlocks(absl::string_view& line);
  /// Consumes up to the line feed or the end of the file.
  absl::Status SkipLine();

  std::shared_ptr<const InputFile> input_;
  BufferedReader reader_;
  uint64_t line_number_ = 0;
};

inline absl::StatusOr<bool> LineReader::Next(absl::string_view& line) {
  const absl::string_view bytes = reader_.available().substr(0, kMaxLineBytes + 1);
  const void* end = bytes.empty() ? nullptr : std::memchr(bytes.data(), '\n', bytes.size());
  if (end == nullptr) return NextAcrossBlocks(line);
  line = bytes.substr(0, static_cast<size_t>(static_cast<const char*>(end) - bytes.data()));
  reader_.Consume(line.size() + 1);
  ++line_number_;
  return true;
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_LINE_READER_H_
