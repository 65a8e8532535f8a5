#include "graph/readers/snap_reader.h"

#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "graph/readers/edge_block.h"
#include "graph/readers/edge_line.h"
#include "graph/readers/line_reader.h"
#include "graph/readers/text_fields.h"
#include "graph/readers/text_lines.h"
#include "graph/thread_count.h"

namespace fargraph {
namespace {

absl::Status BadLine(const InputFile& input, const LineReader& lines, absl::string_view line,
                     WeightType weight_type) {
  return LineError(
      input, lines.line_number(),
      DescribeBadEdgeLine(
          line, weight_type,
          "write 'source target' on every line, or 'source target weight' on every line"));
}

class SnapReader final : public EdgeReader {
 public:
  SnapReader(std::shared_ptr<const InputFile> input, LineReader lines, WeightType weight_type)
      : input_(std::move(input)), lines_(std::move(lines)) {
    properties_.format = "SNAP text";
    properties_.weight_type = weight_type;
  }

  const InputProperties& properties() const override { return properties_; }

  absl::StatusOr<size_t> Read(absl::Span<InputEdge> edges) override {
    const WeightType type = properties_.weight_type;
    const size_t in_block =
        ReadEdgeBlock(lines_, edges, [type](absl::string_view line, InputEdge& edge) {
          return ParseEdgeLine(line, type, edge);
        });
    return in_block > 0 ? in_block : ReadLineByLine(edges);
  }

 private:
  absl::StatusOr<size_t> ReadLineByLine(absl::Span<InputEdge> edges) {
    absl::string_view line;
    for (size_t count = 0; count < edges.size(); ++count) {
      FARGRAPH_ASSIGN_OR_RETURN(const bool more, lines_.NextData(line));
      if (!more) return count;
      if (!ParseEdgeLine(line, properties_.weight_type, edges[count])) {
        return BadLine(*input_, lines_, line, properties_.weight_type);
      }
    }
    return edges.size();
  }

  std::shared_ptr<const InputFile> input_;
  LineReader lines_;
  InputProperties properties_;
};

absl::string_view WeightField(absl::string_view line) {
  FieldScanner scanner(line);
  scanner.ReadField();
  scanner.ReadField();
  return scanner.ReadField();
}

/// The type that fits the weights of many lines.
WeightType WeightTypeOfLines(absl::Span<const LinePiece> pieces) {
  bool whole = true;
#pragma omp parallel for num_threads(ThreadCountFor(pieces.size() * kPieceBytes)) \
    reduction(&& : whole)
  for (size_t i = 0; i < pieces.size(); ++i) {
    whole = whole && VisitDataLines(pieces[i].text, [](absl::string_view line) {
              return WeightTypeOf(WeightField(line)) == WeightType::kInt32;
            });
  }
  return whole ? WeightType::kInt32 : WeightType::kFloat32;
}

/// The type that fits every weight; the first line, which must be an edge, decides whether there
/// are any. What is wrong with a later line is left for the reader to meet.
absl::StatusOr<WeightType> FindWeightType(const std::shared_ptr<const InputFile>& input) {
  FARGRAPH_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(input));
  absl::string_view line;
  FARGRAPH_ASSIGN_OR_RETURN(bool more, lines.NextData(line));
  if (!more) {
    return InputError(*input,
                      "it has no edges, only comments or empty lines; name a file with edges");
  }
  WeightType type = WeightField(line).empty() ? WeightType::kNone : WeightTypeOf(WeightField(line));
  InputEdge edge;
  if (!ParseEdgeLine(line, type, edge)) return BadLine(*input, lines, line, type);

  while (type == WeightType::kInt32) {
    const absl::string_view text = lines.PeekLines(kMiB);
    const std::vector<LinePiece> pieces = CutLines(text, text.size(), kPieceBytes);
    if (!pieces.empty()) {
      type = WeightTypeOfLines(pieces);
      lines.SkipLines(pieces);
    } else {
      FARGRAPH_ASSIGN_OR_RETURN(more, lines.NextData(line));
      if (!more) break;
      type = WeightTypeOf(WeightField(line));
    }
  }
  return type;
}

}  // namespace

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenSnapReader(std::shared_ptr<const InputFile> input) {
  FARGRAPH_ASSIGN_OR_RETURN(const WeightType weight_type, FindWeightType(input));
  FARGRAPH_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(input));
  return std::make_unique<SnapReader>(std::move(input), std::move(lines), weight_type);
}

}  // namespace fargraph
