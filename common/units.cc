#include "common/units.h"

#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"

namespace fargraph {
namespace {

struct Unit {
  absl::string_view suffix;
  uint64_t bytes;
};

constexpr std::array<Unit, 4> kUnits = {
    {{"TiB", kTiB}, {"GiB", kGiB}, {"MiB", kMiB}, {"KiB", kKiB}}};
constexpr double kLargestSize = 0x1p63;

}  // namespace

absl::StatusOr<uint64_t> ParseBytes(absl::string_view text) {
  absl::string_view number = absl::StripAsciiWhitespace(text);
  uint64_t unit_bytes = 1;
  for (const Unit& unit : kUnits) {
    if (absl::ConsumeSuffix(&number, unit.suffix)) {
      unit_bytes = unit.bytes;
      break;
    }
  }
  if (unit_bytes == 1) absl::ConsumeSuffix(&number, "B");
  number = absl::StripAsciiWhitespace(number);

  double value = 0;
  const bool is_number = number.find_first_not_of("0123456789.") == absl::string_view::npos &&
                         absl::SimpleAtod(number, &value);
  if (!is_number || value * static_cast<double>(unit_bytes) >= kLargestSize) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", text, "' is not a size; write a number with B, KiB, MiB, GiB or TiB, such as 4GiB"));
  }
  uint64_t whole = 0;
  if (absl::SimpleAtoi(number, &whole))
    return whole * unit_bytes;  // exact where a double would round
  return static_cast<uint64_t>(value * static_cast<double>(unit_bytes));
}

std::string FormatBytes(uint64_t bytes) {
  for (const Unit& unit : kUnits) {
    if (bytes < unit.bytes) continue;
    const double value = static_cast<double>(bytes) / static_cast<double>(unit.bytes);
    std::string digits = absl::StrFormat("%.1f", value);
    return absl::StrCat(absl::StripSuffix(digits, ".0"), " ", unit.suffix);
  }
  return absl::StrCat(bytes, " B");
}

}  // namespace fargraph
