#ifndef FARGRAPH_GRAPH_FORMAT_MOVE_DIRECTORY_H_
#define FARGRAPH_GRAPH_FORMAT_MOVE_DIRECTORY_H_

#include <string>

/// Renames of directories of one file system. Each returns 0, or -1 and errno, and then leaves both
/// directories as they were.
namespace fargraph {

/// Gives `from` the name `to`, which must be free: where the file system cannot tell, an empty
/// directory that has it is replaced.
int MoveDirectory(const std::string& from, const std::string& to);

/// Exchanges two directories in one step, or where the file system cannot in several.
int ExchangeDirectories(const std::string& from, const std::string& to);

/// The latter: for a moment no directory has the name `to`, and a process that is killed then
/// leaves what had it beside `from`, as `from`.old.
int ExchangeDirectoriesInSteps(const std::string& from, const std::string& to);

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_FORMAT_MOVE_DIRECTORY_H_
