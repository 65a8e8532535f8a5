#include "compute_node/cli/flags/flag_values.h"

#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/units.h"
#include "gflags/gflags.h"

namespace fargraph {
namespace {

absl::Status ValueError(absl::string_view flag, absl::string_view text, absl::string_view takes) {
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, " cannot be '", text, "': it takes ", takes));
}

}  // namespace

absl::StatusOr<std::optional<uint64_t>> OptionalWhole(absl::string_view flag,
                                                      const std::string& text, uint64_t least,
                                                      uint64_t most) {
  if (text.empty()) return std::nullopt;
  uint64_t value = 0;
  if (!absl::SimpleAtoi(text, &value) || value < least || value > most) {
    const std::string end = most < UINT64_MAX ? absl::StrCat(" to ", most) : "";
    return ValueError(flag, text, absl::StrCat("a whole number from ", least, end));
  }
  return value;
}

absl::StatusOr<std::optional<double>> OptionalNumber(absl::string_view flag,
                                                     const std::string& text) {
  if (text.empty()) return std::nullopt;
  double value = 0;
  if (!absl::SimpleAtod(text, &value) || !std::isfinite(value)) {
    return ValueError(flag, text, "a number, such as 1e-6");
  }
  return value;
}

absl::StatusOr<std::optional<uint64_t>> OptionalBytes(absl::string_view flag,
                                                      const std::string& text) {
  if (text.empty()) return std::nullopt;
  const absl::StatusOr<uint64_t> bytes = ParseBytes(text);
  if (!bytes.ok()) {
    return ValueError(flag, text, "a number with B, KiB, MiB, GiB or TiB, such as 4GiB");
  }
  return *bytes;
}

bool IsSet(absl::string_view flag) {
  const auto info = gflags::GetCommandLineFlagInfoOrDie(std::string(flag).c_str());
  return info.current_value != info.default_value;
}

}  // namespace fargraph
