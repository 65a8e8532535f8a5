#include "graph/readers/text_fields.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <system_error>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace fargraph {
namespace {

constexpr size_t kQuotedBytes = 24;

/// Reads all of `field`: no error, result_out_of_range of a number that is too large, or
/// invalid_argument.
template <typename Number>
std::errc ParseNumber(absl::string_view field, Number& value) {
  const bool plus = field.size() > 1 && field[0] == '+' && field[1] != '-';
  if (plus) field.remove_prefix(1);  // from_chars knows only the other sign
  const char* end = field.data() + field.size();
  const auto [rest, error] = std::from_chars(field.data(), end, value);
  return rest == end ? error : std::errc::invalid_argument;
}

/// The same of a float, to which a number that is too small for one is rounded.
std::errc ParseFloat(absl::string_view field, float& value) {
  const std::errc error = ParseNumber(field, value);
  if (error != std::errc::result_out_of_range) return error;
  const bool fits = absl::SimpleAtof(field, &value) && std::isfinite(value);
  return fits ? std::errc() : std::errc::result_out_of_range;
}

bool AllDigits(absl::string_view field) {
  return !field.empty() && field.find_first_not_of("0123456789") == absl::string_view::npos;
}

}  // namespace

std::vector<absl::string_view> SplitFields(absl::string_view line) {
  std::vector<absl::string_view> fields;
  for (FieldScanner scanner(line); !scanner.AtEnd();) fields.push_back(scanner.ReadField());
  return fields;
}

bool ParseId(absl::string_view field, uint64_t& id) {
  FieldScanner scanner(field);
  return scanner.ReadId(id) && scanner.AtEndOfLine();
}

bool ParseWeight(absl::string_view field, WeightType type, uint32_t& bits) {
  if (type == WeightType::kInt32) {
    int32_t weight = 0;
    if (ParseNumber(field, weight) != std::errc()) return false;
    bits = std::bit_cast<uint32_t>(weight);
    return true;
  }
  float weight = 0;
  if (ParseFloat(field, weight) != std::errc() || !std::isfinite(weight)) return false;
  bits = std::bit_cast<uint32_t>(weight);
  return true;
}

WeightType WeightTypeOf(absl::string_view field) {
  const bool whole = field.find_first_not_of("+-0123456789") == absl::string_view::npos;
  return whole ? WeightType::kInt32 : WeightType::kFloat32;
}

std::string Quote(absl::string_view field) {
  const std::string shown = absl::CHexEscape(field.substr(0, kQuotedBytes));
  return absl::StrCat("'", shown, field.size() > kQuotedBytes ? "...'" : "'");
}

std::string DescribeBadId(absl::string_view field) {
  const std::string id = absl::StrCat("the vertex id ", Quote(field));
  if (!field.empty() && field[0] == '-' && AllDigits(field.substr(1))) {
    return absl::StrCat(id, " is negative; number the vertices from 0");
  }
  if (AllDigits(field)) {
    return absl::StrCat(id, " does not fit 64 bits; renumber the vertices");
  }
  return absl::StrCat(id,
                      " is not a whole number; write vertices as numbers from 0, and put '#' "
                      "in front of lines that are not edges");
}

std::string DescribeBadWeight(absl::string_view field, WeightType type) {
  const std::string weight = absl::StrCat("the weight ", Quote(field));
  if (type == WeightType::kInt32) {
    int32_t value = 0;
    return ParseNumber(field, value) == std::errc::result_out_of_range
               ? absl::StrCat(weight,
                              " does not fit a 32-bit integer; scale the weights down, or "
                              "write one with a point to have all read as 32-bit floats")
               : absl::StrCat(weight, " is not a whole number; correct the line");
  }
  float value = 0;
  return ParseFloat(field, value) == std::errc::result_out_of_range
             ? absl::StrCat(weight, " does not fit a 32-bit float; scale the weights")
             : absl::StrCat(weight, " is not a finite number; correct the line");
}

}  // namespace fargraph
