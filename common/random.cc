#include "common/random.h"

#include <sys/random.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace fargraph {

absl::Status FillRandom(absl::Span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return absl::InternalError(
          absl::StrCat("cannot draw random bytes from the host: ", std::strerror(errno)));
    }
    bytes.remove_prefix(static_cast<size_t>(got));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> RandomHex(size_t bytes) {
  std::string raw(bytes, '\0');
  FARGRAPH_RETURN_IF_ERROR(
      FillRandom(absl::MakeSpan(reinterpret_cast<std::byte*>(raw.data()), raw.size())));
  return absl::BytesToHexString(raw);
}

}  // namespace fargraph
