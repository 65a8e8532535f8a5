#include "graph/readers/line_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/readers/text_fields.h"

namespace fargraph {

absl::StatusOr<LineReader> LineReader::Open(std::shared_ptr<const InputFile> input) {
  FARGRAPH_ASSIGN_OR_RETURN(BufferedReader reader, BufferedReader::Open(*input));
  FARGRAPH_RETURN_IF_ERROR(reader.ConsumePrefix(kByteOrderMark));
  return LineReader(std::move(input), std::move(reader));
}

absl::StatusOr<bool> LineReader::NextData(absl::string_view& line) {
  while (true) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, Next(line));
    if (!more) return false;
    if (!FieldScanner(line).AtEnd()) return true;
  }
}

absl::string_view LineReader::PeekLines(size_t bytes) {
  // An error is met again once the lines in front of it are read.
  reader_.FillTo(bytes).status().IgnoreError();
  const absl::string_view text = reader_.available().substr(0, bytes);
  return text.substr(0, text.rfind('\n') + 1);
}

void LineReader::SkipLines(absl::Span<const LinePiece> lines) {
  for (const LinePiece& piece : lines) {
    reader_.Consume(piece.text.size());
    line_number_ += piece.lines;
  }
}

absl::StatusOr<bool> LineReader::NextAcrossBlocks(absl::string_view& line) {
  size_t end = reader_.available().find('\n');
  bool more = true;
  while (end == absl::string_view::npos && more && reader_.available().size() <= kMaxLineBytes) {
    const size_t searched = reader_.available().size();
    FARGRAPH_ASSIGN_OR_RETURN(more, reader_.Fill());
    end = reader_.available().find('\n', searched);
  }
  line = reader_.available().substr(0, std::min(end, kMaxLineBytes + 1));
  if (line.empty() && !more) return false;
  ++line_number_;
  if (line.size() <= kMaxLineBytes) {
    reader_.Consume(line.size() + (end == absl::string_view::npos ? 0 : 1));
    return true;
  }
  if (FieldScanner(line).AtEnd()) {
    line = "";
    FARGRAPH_RETURN_IF_ERROR(SkipLine());
    return true;
  }
  return LineError(
      *input_, line_number_,
      absl::StrCat("it is longer than ", FormatBytes(kMaxLineBytes), "; write one record a line"));
}

absl::Status LineReader::SkipLine() {
  while (true) {
    const absl::string_view bytes = reader_.available();
    const size_t end = bytes.find('\n');
    if (end != absl::string_view::npos) {
      reader_.Consume(end + 1);
      return absl::OkStatus();
    }
    reader_.Consume(bytes.size());
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, reader_.Fill());
    if (!more) return absl::OkStatus();
  }
}

}  // namespace fargraph
