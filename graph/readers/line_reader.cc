#include "graph/readers/line_reader.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "graph/readers/text_fields.h"

namespace fargraph {
namespace {

constexpr size_t kMaxLineBytes = kMiB;

}  // namespace

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

absl::StatusOr<bool> LineReader::NextAcrossBlocks(absl::string_view& line) {
  size_t end = absl::string_view::npos;
  bool more = true;
  for (size_t searched = 0; end == absl::string_view::npos && more;) {
    searched = reader_.available().size();
    if (searched > kMaxLineBytes) break;
    FARGRAPH_ASSIGN_OR_RETURN(more, reader_.Fill());
    end = reader_.available().find('\n', searched);
  }
  line = reader_.available().substr(0, end);
  if (line.empty() && !more) return false;
  ++line_number_;
  if (end != absl::string_view::npos) {
    reader_.Consume(line.size() + 1);
  } else if (!more) {
    reader_.Consume(line.size());
  } else if (FieldScanner(line).AtEnd()) {
    line = "";
    FARGRAPH_RETURN_IF_ERROR(SkipLine());
  } else {
    return LineError(*input_, line_number_,
                     absl::StrCat("it is longer than ", FormatBytes(kMaxLineBytes),
                                  "; write one record a line"));
  }
  return true;
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
