#include "graph/format/move_directory.h"

#include <fcntl.h>
#include <stdio.h>

#include <cerrno>

namespace fargraph {
namespace {

int Rename(const std::string& from, const std::string& to, unsigned flags) {
  return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags);
}

// After Rename: whether the file system knows no such flag.
bool FlagIsUnknown() { return errno == EINVAL || errno == ENOSYS; }

}  // namespace

int MoveDirectory(const std::string& from, const std::string& to) {
  const int result = Rename(from, to, RENAME_NOREPLACE);
  return result != 0 && FlagIsUnknown() ? Rename(from, to, 0) : result;
}

int ExchangeDirectories(const std::string& from, const std::string& to) {
  const int result = Rename(from, to, RENAME_EXCHANGE);
  return result != 0 && FlagIsUnknown() ? ExchangeDirectoriesInSteps(from, to) : result;
}

int ExchangeDirectoriesInSteps(const std::string& from, const std::string& to) {
  const std::string aside = from + ".old";
  if (Rename(to, aside, 0) != 0) return -1;
  if (Rename(from, to, 0) != 0) {
    const int error = errno;
    Rename(aside, to, 0);
    errno = error;
    return -1;
  }
  Rename(aside, from, 0);
  return 0;
}

}  // namespace fargraph
