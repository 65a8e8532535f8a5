#ifndef FARGRAPH_COMMON_FLAGS_H_
#define FARGRAPH_COMMON_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace fargraph {

/// Reads a command's arguments (argv without the program's name) into gflags and returns the
/// positional ones in order. gflags' own parser ends the process with its own exit code and a page
/// of usage; this one returns InvalidArgument with one sentence.
///
/// `flags` names the flags of the command; any other is refused, so the flags of libraries and of
/// other commands do not leak in. A flag is written --name=value, --name value, or, for a bool,
/// --name or --noname; one dash is as good as two, and a dash within a name as good as an
/// underscore. "--" ends the flags, and "-" is positional. Call it from main's thread, before other
/// threads read flags.
absl::StatusOr<std::vector<std::string>> ParseFlags(absl::Span<const char* const> arguments,
                                                    absl::Span<const absl::string_view> flags);

/// A help text: one paragraph a flag, with its meaning and its default.
std::string DescribeFlags(absl::Span<const absl::string_view> flags);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_FLAGS_H_
