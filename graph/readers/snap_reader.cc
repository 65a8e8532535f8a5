#include "graph/readers/snap_reader.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "graph/readers/line_reader.h"
#include "graph/readers/text_fields.h"

namespace fargraph {
namespace {

bool ParseEdge(absl::string_view line, WeightType weight_type, InputEdge& edge) {
  FieldScanner scanner(line);
  if (!scanner.ReadId(edge.source) || !scanner.ReadId(edge.target)) return false;
  edge.weight_bits = 0;
  return (weight_type == WeightType::kNone ||
          ParseWeight(scanner.ReadField(), weight_type, edge.weight_bits)) &&
         scanner.AtEnd();
}

constexpr absl::string_view kWhatToWrite =
    "write 'source target' on every line, or 'source target weight' on every line";

/// Why a line with these fields is no edge, whatever its weight; empty if nothing speaks against
/// it.
std::string DescribeBadFields(absl::Span<const absl::string_view> fields) {
  for (size_t i = 0; i < fields.size() && i < 2; ++i) {
    uint64_t id = 0;
    if (!ParseId(fields[i], id)) return DescribeBadId(fields[i]);
  }
  if (fields.size() == 2 || fields.size() == 3) return "";
  return absl::StrCat("it has ", fields.size(), fields.size() == 1 ? " column" : " columns", "; ",
                      kWhatToWrite);
}

std::string DescribeBadLine(absl::string_view line, WeightType weight_type) {
  const std::vector<absl::string_view> fields = SplitFields(line);
  const std::string problem = DescribeBadFields(fields);
  if (!problem.empty()) return problem;
  const size_t columns = weight_type == WeightType::kNone ? 2 : 3;
  if (fields.size() == columns) return DescribeBadWeight(fields[2], weight_type);
  return absl::StrCat("it has ", fields.size(), " columns where the first edge has ", columns, "; ",
                      kWhatToWrite);
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
      if (!ParseEdge(line, properties_.weight_type, edges[count])) {
        return LineError(*input_, lines_.line_number(),
                         DescribeBadLine(line, properties_.weight_type));
      }
    }
    return edges.size();
  }

 private:
  std::shared_ptr<const InputFile> input_;
  LineReader lines_;
  InputProperties properties_;
};

/// The type that fits every weight; the first line decides whether there are any. What is wrong
/// with a later line is left for the reader to meet.
absl::StatusOr<WeightType> FindWeightType(const std::shared_ptr<const InputFile>& input) {
  FARGRAPH_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(input));
  absl::string_view line;
  FARGRAPH_ASSIGN_OR_RETURN(bool more, lines.NextData(line));
  if (!more) return WeightType::kNone;
  const std::vector<absl::string_view> fields = SplitFields(line);
  const std::string problem = DescribeBadFields(fields);
  if (!problem.empty()) return LineError(*input, lines.line_number(), problem);
  if (fields.size() == 2) return WeightType::kNone;

  while (more) {
    FieldScanner scanner(line);
    scanner.ReadField();
    scanner.ReadField();
    if (WeightTypeOf(scanner.ReadField()) == WeightType::kFloat32) return WeightType::kFloat32;
    FARGRAPH_ASSIGN_OR_RETURN(more, lines.NextData(line));
  }
  return WeightType::kInt32;
}

}  // namespace

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenSnapReader(std::shared_ptr<const InputFile> input) {
  FARGRAPH_ASSIGN_OR_RETURN(const WeightType weight_type, FindWeightType(input));
  FARGRAPH_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(input));
  return std::make_unique<SnapReader>(std::move(input), std::move(lines), weight_type);
}

}  // namespace fargraph
