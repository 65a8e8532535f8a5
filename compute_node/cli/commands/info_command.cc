#include "common/files/output_file.h"
#include "common/status_macros.h"
#include "compute_node/cli/command.h"
#include "compute_node/cli/reports/write_json.h"
#include "gflags/gflags.h"
#include "graph/describe.h"
#include "graph/graph_files.h"
#include "nlohmann/json.hpp"

DECLARE_string(json);
DECLARE_bool(verify_files);

namespace fargraph {
namespace {

std::string InfoDetails() {
  return "\nGRAPH is a directory made by fargraph convert or fargraph generate.\n";
}

absl::Status Info(const std::vector<std::string>& arguments) {
  FARGRAPH_ASSIGN_OR_RETURN(const GraphFiles files,
                            GraphFiles::Open(arguments.at(0), FLAGS_verify_files));
  FARGRAPH_ASSIGN_OR_RETURN(nlohmann::json description, DescribeGraph(files));
  description["files_verified"] = FLAGS_verify_files;
  FARGRAPH_RETURN_IF_ERROR(WriteJson(FLAGS_json, description));
  if (OutputFile::IsStandardOutput(FLAGS_json)) return absl::OkStatus();
  return WriteWholeFile("-", FormatGraphDescription(description));
}

}  // namespace

const Command& InfoCommand() {
  static const auto& command = *new Command{.name = "info",
                                            .arguments = {"GRAPH"},
                                            .summary = "Shows what a converted graph is.",
                                            .details = InfoDetails,
                                            .flags = {"json", "verify_files"},
                                            .file_flags_to_stdout = {"json"},
                                            .run = Info};
  return command;
}

}  // namespace fargraph
