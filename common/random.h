#ifndef FARGRAPH_COMMON_RANDOM_H_
#define FARGRAPH_COMMON_RANDOM_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace fargraph {

/// Fills `bytes` with what nobody can guess, from the kernel.
absl::Status FillRandom(absl::Span<std::byte> bytes);

/// 2 * `bytes` hexadecimal digits of it.
absl::StatusOr<std::string> RandomHex(size_t bytes);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_RANDOM_H_
