#ifndef FARGRAPH_GRAPH_READERS_EDGE_BLOCK_H_
#define FARGRAPH_GRAPH_READERS_EDGE_BLOCK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/edge_reader.h"
#include "graph/readers/line_reader.h"
#include "graph/readers/text_lines.h"
#include "graph/thread_count.h"

/// The edges of many lines of text, which a team of threads parses.
namespace fargraph {

/// Parses lines, each that holds more than blanks and a comment by parse_line(line, edge). `edges`
/// has room for an edge of every line; its beginning becomes the edges, in the order of the lines.
/// Returns how many they are, or nothing if some line does not parse or may be longer than lines
/// are to be: `edges` then holds anything.
template <typename ParseLine>
std::optional<size_t> ParseEdgeLines(absl::Span<const LinePiece> pieces,
                                     absl::Span<InputEdge> edges, const ParseLine& parse_line) {
  std::vector<size_t> counts(pieces.size());
  bool all_parse = true;
#pragma omp parallel for num_threads(ThreadCountFor(edges.size())) reduction(&& : all_parse)
  for (size_t i = 0; i < pieces.size(); ++i) {
    InputEdge* const begin = edges.data() + pieces[i].first_line;
    InputEdge* next = begin;
    const auto parse_next = [&](absl::string_view line) { return parse_line(line, *next++); };
    const bool parses = pieces[i].text.size() <= LineReader::kMaxLineBytes &&
                        VisitDataLines(pieces[i].text, parse_next);
    all_parse = all_parse && parses;
    counts[i] = next - begin;
  }
  if (!all_parse) return std::nullopt;

  // Where lines held no edge, the edges behind them move up.
  size_t count = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto parsed = edges.subspan(pieces[i].first_line, counts[i]);
    if (count != pieces[i].first_line) std::copy(parsed.begin(), parsed.end(), &edges[count]);
    count += parsed.size();
  }
  return count;
}

/// Reads the beginning of `edges` from at most as many lines as it has room for, with a team of
/// threads, and returns how many edges these hold. 0 where no team pays, where the lines hold no
/// edges, and where something is wrong with one of them: the caller is to go on line by line.
template <typename ParseLine>
size_t ReadEdgeBlock(LineReader& lines, absl::Span<InputEdge> edges, const ParseLine& parse_line) {
  constexpr size_t kUsualLineBytes = 16;
  constexpr size_t kLeastLineBytes = 4;  // "1 2\n"
  if (ThreadCountFor(edges.size()) == 1) return 0;
  const absl::string_view text = lines.PeekLines(edges.size() * kUsualLineBytes);
  if (ThreadCountFor(text.size() / kLeastLineBytes) == 1) return 0;

  const std::vector<LinePiece> pieces = CutLines(text, edges.size(), kPieceBytes);
  const std::optional<size_t> count = ParseEdgeLines(pieces, edges, parse_line);
  if (!count) return 0;
  lines.SkipLines(pieces);
  return *count;
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_EDGE_BLOCK_H_
