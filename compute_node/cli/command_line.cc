#include "compute_node/cli/command_line.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/files/output_file.h"
#include "common/flags.h"
#include "common/status_macros.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/help.h"

namespace fargraph {
namespace {

using Arguments = absl::Span<const char* const>;

bool AsksForHelp(absl::string_view argument) {
  return argument == "--help" || argument == "-help" || argument == "-h";
}

std::string CommandNames() {
  return absl::StrJoin(AllCommands(), ", ", [](std::string* out, const Command* command) {
    absl::StrAppend(out, command->name);
  });
}

absl::StatusOr<const Command*> FindCommand(absl::string_view name) {
  for (const Command* command : AllCommands()) {
    if (command->name == name) return command;
  }
  return absl::InvalidArgumentError(absl::StrCat("there is no command '", name, "'; there are ",
                                                 CommandNames(), "; see fargraph help"));
}

/// `fargraph help [COMMAND]`
absl::Status PrintHelp(Arguments names) {
  if (names.empty()) return WriteWholeFile("-", OverviewHelp());
  FARGRAPH_ASSIGN_OR_RETURN(const Command* command, FindCommand(names.front()));
  return WriteWholeFile("-", CommandHelp(*command));
}

absl::Status UsageError(const Command& command, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(what, "; see fargraph help ", command.name));
}

absl::Status CheckArguments(const Command& command, const std::vector<std::string>& arguments) {
  if (arguments.size() < command.arguments.size()) {
    return UsageError(command, absl::StrCat(command.arguments[arguments.size()],
                                            " is missing: write ", Synopsis(command)));
  }
  if (arguments.size() > command.arguments.size()) {
    return UsageError(command,
                      absl::StrCat("'", arguments[command.arguments.size()],
                                   "' is one argument too many: write ", Synopsis(command)));
  }
  return absl::OkStatus();
}

/// --json of a command that lets it stand without a file name becomes --json=-.
std::vector<std::string> CompleteFileFlags(const Command& command, Arguments arguments) {
  std::vector<std::string> completed(arguments.begin(), arguments.end());
  for (std::string& argument : completed) {
    for (const absl::string_view flag : command.file_flags_to_stdout) {
      if (argument == absl::StrCat("--", flag)) absl::StrAppend(&argument, "=-");
    }
  }
  return completed;
}

absl::Status RunOne(const Command& command, Arguments arguments) {
  if (std::any_of(arguments.begin(), arguments.end(), AsksForHelp)) {
    return WriteWholeFile("-", CommandHelp(command));
  }
  const std::vector<std::string> completed = CompleteFileFlags(command, arguments);
  std::vector<const char*> pointers;
  for (const std::string& argument : completed) pointers.push_back(argument.c_str());
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> positional,
                            ParseFlags(pointers, command.flags));
  FARGRAPH_RETURN_IF_ERROR(CheckArguments(command, positional));
  return command.run(positional);
}

}  // namespace

absl::Status RunCommandLine(Arguments arguments, absl::string_view version) {
  if (arguments.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a command is missing: ", CommandNames(), "; see fargraph help"));
  }
  const absl::string_view name = arguments.front();
  arguments.remove_prefix(1);
  if (name == "help" || AsksForHelp(name)) return PrintHelp(arguments);
  if (name == "version" || name == "--version") {
    return WriteWholeFile("-", absl::StrCat("fargraph ", version, "\n"));
  }
  FARGRAPH_ASSIGN_OR_RETURN(const Command* command, FindCommand(name));
  return RunOne(*command, arguments);
}

}  // namespace fargraph
