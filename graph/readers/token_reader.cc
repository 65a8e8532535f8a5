#include "graph/readers/token_reader.h"

#include "common/status_macros.h"
#include "graph/readers/text_fields.h"

namespace fargraph {
namespace {

constexpr size_t kMaxTokenBytes = 4096;

bool IsSeparator(char c) { return c == '\n' || IsBlank(c); }

}  // namespace

absl::StatusOr<TokenReader> TokenReader::Open(std::shared_ptr<const InputFile> input,
                                              Position position) {
  FARGRAPH_ASSIGN_OR_RETURN(BufferedReader reader, BufferedReader::Open(*input, position.offset));
  if (position.offset == 0) FARGRAPH_RETURN_IF_ERROR(reader.ConsumePrefix(kByteOrderMark));
  return TokenReader(std::move(input), std::move(reader), position.line);
}

absl::StatusOr<bool> TokenReader::Next(absl::string_view& token) {
  FARGRAPH_ASSIGN_OR_RETURN(const bool found, SkipToToken());
  if (!found) return false;
  size_t length = 1;
  while (true) {
    const absl::string_view bytes = reader_.available();
    while (length < bytes.size() && !IsSeparator(bytes[length])) ++length;
    if (length > kMaxTokenBytes) {
      return Error(
          "it has a word of thousands of characters where a number is due; the file is "
          "damaged, get it again");
    }
    if (length < bytes.size()) break;
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, reader_.Fill());
    if (!more) break;
  }
  token = reader_.available().substr(0, length);
  reader_.Consume(length);
  return true;
}

absl::StatusOr<bool> TokenReader::SkipToToken() {
  while (true) {
    const absl::string_view bytes = reader_.available();
    size_t skipped = 0;
    for (; skipped < bytes.size() && IsSeparator(bytes[skipped]); ++skipped) {
      line_ += bytes[skipped] == '\n';
    }
    reader_.Consume(skipped);
    if (skipped < bytes.size()) return true;
    FARGRAPH_ASSIGN_OR_RETURN(const bool more, reader_.Fill());
    if (!more) return false;
  }
}

}  // namespace fargraph
