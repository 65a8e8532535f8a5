#include "graph/readers/matrix_market_reader.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/status_macros.h"
#include "graph/readers/edge_block.h"
#include "graph/readers/edge_line.h"
#include "graph/readers/line_reader.h"
#include "graph/readers/text_fields.h"

namespace fargraph {
namespace {

constexpr absl::string_view kBanner = "%%MatrixMarket";

struct MatrixHeader {
  WeightType weight_type = WeightType::kNone;
  bool symmetric = false;
  uint64_t vertices = 0;
  uint64_t entries = 0;
};

/// Reads the line "%%MatrixMarket matrix coordinate FIELD SYMMETRY". Empty if Fargraph reads such
/// matrices, or else what is wrong.
std::string ParseBanner(absl::string_view line, MatrixHeader& header) {
  const std::string lower = absl::AsciiStrToLower(line);
  const std::vector<absl::string_view> words =
      absl::StrSplit(lower, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
  constexpr size_t kWords = 5;
  if (words.size() != kWords) {
    return "the first line must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'";
  }
  const absl::string_view field = words[3];
  const absl::string_view symmetry = words[4];
  if (words[1] != "matrix" || words[2] != "coordinate") {
    return absl::StrCat("Fargraph reads a 'matrix coordinate', not ", Quote(words[1]), " ",
                        Quote(words[2]), "; write the matrix in coordinate format");
  }
  if (field != "pattern" && field != "integer" && field != "real" && field != "double") {
    return absl::StrCat("Fargraph reads values of the kinds pattern, integer and real, not ",
                        Quote(field), "; write the matrix with one of them");
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    return absl::StrCat("Fargraph reads the symmetries general and symmetric, not ",
                        Quote(symmetry), "; write the matrix with one of them");
  }
  header.weight_type = field == "pattern"   ? WeightType::kNone
                       : field == "integer" ? WeightType::kInt32
                                            : WeightType::kFloat32;
  header.symmetric = symmetry == "symmetric";
  return "";
}

/// Reads the line "ROWS COLUMNS ENTRIES". Empty if it says so of a square matrix, or else what is
/// wrong.
std::string ParseSizes(absl::string_view line, MatrixHeader& header) {
  uint64_t columns = 0;
  FieldScanner scanner(line);
  if (!scanner.ReadId(header.vertices) || !scanner.ReadId(columns) ||
      !scanner.ReadId(header.entries) || !scanner.AtEnd()) {
    return "it must state the numbers of rows, columns and entries; restore the line";
  }
  if (header.vertices != columns) {
    return absl::StrCat("the matrix has ", header.vertices, " rows and ", columns,
                        " columns, but that of a graph is square; number rows and columns alike");
  }
  return "";
}

absl::StatusOr<MatrixHeader> ReadHeader(const InputFile& input, LineReader& lines) {
  MatrixHeader header;
  absl::string_view line;
  FARGRAPH_ASSIGN_OR_RETURN(bool more, lines.Next(line));
  std::string problem = ParseBanner(line, header);
  if (!problem.empty()) return LineError(input, lines.line_number(), problem);
  FARGRAPH_ASSIGN_OR_RETURN(more, lines.NextData(line));
  if (!more) {
    return LineError(input, lines.line_number(),
                     "the file ends before the numbers of rows, columns and entries; get it again");
  }
  problem = ParseSizes(line, header);
  if (!problem.empty()) return LineError(input, lines.line_number(), problem);
  return header;
}

class MatrixMarketReader final : public EdgeReader {
 public:
  MatrixMarketReader(std::shared_ptr<const InputFile> input, LineReader lines,
                     const MatrixHeader& header)
      : input_(std::move(input)), lines_(std::move(lines)), entries_(header.entries) {
    properties_.format = "MatrixMarket";
    properties_.weight_type = header.weight_type;
    properties_.declares_vertices = true;
    properties_.declared_vertices = header.vertices;
    properties_.first_id = 1;
    properties_.symmetric = header.symmetric;
  }

  const InputProperties& properties() const override { return properties_; }

  absl::StatusOr<size_t> Read(absl::Span<InputEdge> edges) override {
    const size_t in_block = ReadEdgeBlock(
        lines_, edges.subspan(0, entries_ - entries_read_),
        [this](absl::string_view line, InputEdge& edge) { return ParseEntry(line, edge); });
    entries_read_ += in_block;
    return in_block > 0 ? in_block : ReadLineByLine(edges);
  }

 private:
  absl::StatusOr<size_t> ReadLineByLine(absl::Span<InputEdge> edges) {
    absl::string_view line;
    for (size_t count = 0; count < edges.size(); ++count) {
      FARGRAPH_ASSIGN_OR_RETURN(const bool more, lines_.NextData(line));
      if (more != (entries_read_ < entries_)) return WrongNumberOfEntries();
      if (!more) return count;
      if (!ParseEntry(line, edges[count])) return BadLine(line);
      ++entries_read_;
    }
    return edges.size();
  }

  bool ParseEntry(absl::string_view line, InputEdge& edge) const {
    return ParseEdgeLine(line, properties_.weight_type, edge) && IsVertex(edge.source) &&
           IsVertex(edge.target);
  }

  bool IsVertex(uint64_t id) const { return id - 1 < properties_.declared_vertices; }

  absl::Status WrongNumberOfEntries() const {
    return LineError(*input_, lines_.line_number(),
                     absl::StrCat("the file ", entries_read_ < entries_ ? "ends" : "goes on",
                                  " after ", entries_read_, " of the ", entries_,
                                  " entries that it declares; get it again or correct the number"));
  }

  absl::Status BadLine(absl::string_view line) const {
    InputEdge edge;
    const bool parses = ParseEdgeLine(line, properties_.weight_type, edge);
    return LineError(
        *input_, lines_.line_number(),
        parses ? absl::StrCat("row or column ", IsVertex(edge.source) ? edge.target : edge.source,
                              " is not among the declared 1 to ", properties_.declared_vertices,
                              "; correct the entry or the number of rows and columns")
               : DescribeBadEdgeLine(line, properties_.weight_type,
                                     "write 'row column' in a pattern matrix and 'row column "
                                     "value' in others"));
  }

  std::shared_ptr<const InputFile> input_;
  LineReader lines_;
  uint64_t entries_;
  uint64_t entries_read_ = 0;
  InputProperties properties_;
};

}  // namespace

bool IsMatrixMarket(absl::string_view head) { return absl::StartsWithIgnoreCase(head, kBanner); }

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenMatrixMarketReader(
    std::shared_ptr<const InputFile> input) {
  FARGRAPH_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(input));
  FARGRAPH_ASSIGN_OR_RETURN(const MatrixHeader header, ReadHeader(*input, lines));
  return std::make_unique<MatrixMarketReader>(std::move(input), std::move(lines), header);
}

}  // namespace fargraph
