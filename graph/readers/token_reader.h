#ifndef FARGRAPH_GRAPH_READERS_TOKEN_READER_H_
#define FARGRAPH_GRAPH_READERS_TOKEN_READER_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/readers/buffered_reader.h"
#include "graph/readers/input_file.h"

namespace fargraph {

/// The words of a text in which line ends mean no more than blanks do. A byte order mark at the
/// beginning is no part of the first. Movable; one thread.
class TokenReader {
 public:
  /// Where a reader is in its text.
  struct Position {
    uint64_t offset = 0;
    uint64_t line = 1;
  };

  static absl::StatusOr<TokenReader> Open(std::shared_ptr<const InputFile> input,
                                          Position position);

  /// The next word, valid until the next call; false at the end of the file. DataLoss of a word too
  /// long to be a number.
  absl::StatusOr<bool> Next(absl::string_view& token);

  /// Behind the word that was returned last.
  Position position() const { return {reader_.offset(), line_}; }

  /// DataLoss about the word that was returned last.
  absl::Status Error(absl::string_view problem) const { return LineError(*input_, line_, problem); }

 private:
  TokenReader(std::shared_ptr<const InputFile> input, BufferedReader reader, uint64_t line)
      : input_(std::move(input)), reader_(std::move(reader)), line_(line) {}

  /// Consumes what is in front of the next word; false at the end of the file.
  absl::StatusOr<bool> SkipToToken();

  std::shared_ptr<const InputFile> input_;
  BufferedReader reader_;
  uint64_t line_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_TOKEN_READER_H_
