#ifndef FARGRAPH_COMPUTE_NODE_CLI_FLAGS_FLAG_VALUES_H_
#define FARGRAPH_COMPUTE_NODE_CLI_FLAGS_FLAG_VALUES_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

/// Values of flags that gflags knows as text, because they may be absent or have a unit. Every
/// error is InvalidArgument and names the flag; an empty text is an absent flag.
namespace fargraph {

/// A whole number from `least` to `most`.
absl::StatusOr<std::optional<uint64_t>> OptionalWhole(absl::string_view flag,
                                                      const std::string& text, uint64_t least = 0,
                                                      uint64_t most = UINT64_MAX);
/// A finite number.
absl::StatusOr<std::optional<double>> OptionalNumber(absl::string_view flag,
                                                     const std::string& text);
/// A size, as ParseBytes takes it.
absl::StatusOr<std::optional<uint64_t>> OptionalBytes(absl::string_view flag,
                                                      const std::string& text);

/// True if the flag of that name, text or not, has another value than its default.
bool IsSet(absl::string_view flag);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_FLAGS_FLAG_VALUES_H_
