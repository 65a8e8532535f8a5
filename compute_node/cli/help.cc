#include "compute_node/cli/help.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "common/flags.h"

namespace fargraph {
namespace {

constexpr absl::string_view kExitCodes = R"(
Exit codes:
   0  done
   1  an error inside Fargraph or of the operating system
   2  a flag or an argument is wrong, such as a source that is not in the graph
   3  a file or directory is not there or not accessible
   4  a file is not what it should be: of no known format, damaged, cut off
   5  a memory node is unreachable or died
   6  a memory node refused the token, or its file is open to everybody
   7  no room: on a memory node, within a memory budget, in memory or on a disk
   8  this host is not ready: no RDMA device, too little lockable memory; doctor
      found a problem
   9  --verify found the answer wrong
  10  the output exists already
 130  interrupted
)";

}  // namespace

std::string Synopsis(const Command& command) {
  std::string synopsis = absl::StrCat("fargraph ", command.name);
  for (const absl::string_view argument : command.arguments) {
    absl::StrAppend(&synopsis, " ", argument);
  }
  return absl::StrCat(synopsis, " [flags]");
}

std::string OverviewHelp() {
  std::string text = "Graph analytics with the edges on far memory.\n\nusage:\n";
  for (const Command* command : AllCommands()) {
    absl::StrAppendFormat(&text, "  %s\n      %s\n", Synopsis(*command), command->summary);
  }
  absl::StrAppend(&text, "  fargraph help [COMMAND]\n      Shows this text or a command's flags.\n",
                  "  fargraph --version\n      Shows the version.\n", kExitCodes);
  return text;
}

std::string CommandHelp(const Command& command) {
  std::string flags = DescribeFlags(command.flags);
  for (const absl::string_view flag : command.file_flags_to_stdout) {
    absl::StrReplaceAll(
        {{absl::StrCat("--", flag, "=VALUE"), absl::StrCat("--", flag, "[=VALUE]")}}, &flags);
  }
  return absl::StrCat("usage: ", Synopsis(command), "\n\n", command.summary, "\n",
                      command.details(), "\nFlags:\n", flags);
}

}  // namespace fargraph
