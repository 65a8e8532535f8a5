#include "common/control/token.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

constexpr size_t kMaxTokenBytes = 4096;

}  // namespace

absl::StatusOr<std::string> ReadTokenFile(const std::string& path) {
  const auto cannot_read = [&path] {
    const int cause = errno;
    const std::string mend = cause == ENOENT
                                 ? absl::StrCat(
                                       "check its name, or make a token with (umask 077; head -c "
                                       "32 /dev/urandom | base64 > ",
                                       path, ") and copy it to every node")
                                 : "check its permissions";
    return absl::NotFoundError(absl::StrCat("cannot read the token file '", path,
                                            "': ", std::strerror(cause), "; ", mend));
  };
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot_read();
  const absl::Cleanup close_file = [fd] { close(fd); };

  struct stat status = {};
  if (fstat(fd, &status) != 0) return cannot_read();
  if (S_ISREG(status.st_mode) && (status.st_mode & S_IRWXO) != 0) {
    return absl::PermissionDeniedError(absl::StrCat(
        "the token file '", path, "' is open to everybody on this host; run chmod o= ", path));
  }

  std::array<char, kMaxTokenBytes + 3>
      buffer;  // room for a line end, and one to see it is too long
  size_t length = 0;
  ssize_t got = 0;
  while (length < buffer.size() &&
         (got = read(fd, buffer.data() + length, buffer.size() - length)) > 0) {
    length += static_cast<size_t>(got);
  }
  if (got < 0) return cannot_read();

  std::string token(absl::StripAsciiWhitespace(absl::string_view(buffer.data(), length)));
  if (const absl::Status valid = CheckToken(token); !valid.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the token file '", path, "' is not usable: ", valid.message()));
  }
  return token;
}

absl::Status CheckToken(absl::string_view token) {
  if (token.empty() || token.size() > kMaxTokenBytes ||
      !std::all_of(token.begin(), token.end(), absl::ascii_isgraph)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a token is 1 to ", kMaxTokenBytes,
                     " printable ASCII characters without spaces; make one with head -c 32 "
                     "/dev/urandom | base64"));
  }
  return absl::OkStatus();
}

bool TokensEqual(absl::string_view a, absl::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace fargraph
