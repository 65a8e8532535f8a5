#ifndef FARGRAPH_GRAPH_READERS_TEXT_LINES_H_
#define FARGRAPH_GRAPH_READERS_TEXT_LINES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "graph/readers/text_fields.h"

/// Whole lines of a text, each with its line feed, and how a team of threads shares them.
namespace fargraph {

/// How much text a thread takes at a time.
inline constexpr size_t kPieceBytes = 8 << 10;

struct LinePiece {
  absl::string_view text;
  uint64_t first_line = 0;  ///< from 0
  uint64_t lines = 0;
};

/// The first `max_lines` lines of `text`, or as many as it has, in pieces of about `piece_bytes`.
/// One thread calls, all work.
std::vector<LinePiece> CutLines(absl::string_view text, uint64_t max_lines, size_t piece_bytes);

/// Calls visit(line) for every line of `text` that holds more than blanks and a comment, without
/// its line feed, until it returns false; false if it does.
template <typename Visit>
bool VisitDataLines(absl::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const absl::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    if (!FieldScanner(line).AtEnd() && !visit(line)) return false;
  }
  return true;
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_TEXT_LINES_H_
