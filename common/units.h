#ifndef FARGRAPH_COMMON_UNITS_H_
#define FARGRAPH_COMMON_UNITS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fargraph {

inline constexpr uint64_t kKiB = uint64_t{1} << 10;
inline constexpr uint64_t kMiB = uint64_t{1} << 20;
inline constexpr uint64_t kGiB = uint64_t{1} << 30;
inline constexpr uint64_t kTiB = uint64_t{1} << 40;

/// Reads a size as a user writes it: a number, whole or decimal, with an optional B, KiB, MiB, GiB
/// or TiB
/// ("1.5GiB", "4096"). InvalidArgument for anything else, a negative number, or more than 2^63
/// bytes.
absl::StatusOr<uint64_t> ParseBytes(absl::string_view text);

/// `bytes` in the largest unit that leaves at least one before the point: "0 B", "512 B", "1.5
/// KiB", "8 GiB".
std::string FormatBytes(uint64_t bytes);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_UNITS_H_
