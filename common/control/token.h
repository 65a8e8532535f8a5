#ifndef FARGRAPH_COMMON_CONTROL_TOKEN_H_
#define FARGRAPH_COMMON_CONTROL_TOKEN_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fargraph {

/// The token in the file `path`: its whole contents without white space at either end. NotFound
/// when the file cannot be read; PermissionDenied when everybody on the host may read or change it;
/// InvalidArgument when its contents are not a token (see CheckToken).
absl::StatusOr<std::string> ReadTokenFile(const std::string& path);

/// InvalidArgument unless `token` is 1 to 4096 printable ASCII characters without spaces.
absl::Status CheckToken(absl::string_view token);

/// Equality in a time that does not depend on where the two differ.
bool TokensEqual(absl::string_view a, absl::string_view b);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_CONTROL_TOKEN_H_
