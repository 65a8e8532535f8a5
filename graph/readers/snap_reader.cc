#include "graph/readers/snap_reader.h"

#include <utility>

#include "common/status_macros.h"
#include "graph/readers/edge_line.h"
#include "graph/readers/line_reader.h"
#include "graph/readers/text_fields.h"

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

 private:
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
    FARGRAPH_ASSIGN_OR_RETURN(more, lines.NextData(line));
    if (!more) break;
    type = WeightTypeOf(WeightField(line));
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
